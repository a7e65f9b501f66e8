import { cx } from './cx.ts'
import { Input } from './input.tsx'

export interface DateRangeProps {
  /** `YYYY-MM-DD` or empty. */
  from: string
  to: string
  onChange: (range: { from: string; to: string }) => void
  /** Latest selectable day. */
  max?: string | undefined
  className?: string | undefined
}

/** Two native date fields for UTC days; the start cannot pass the end. */
export function DateRange({ from, to, onChange, max, className }: DateRangeProps) {
  return (
    <div className={cx('flex w-full gap-2 sm:w-auto', className)}>
      <Day label="From" value={from} max={to || max} onChange={(day) => onChange({ from: day, to })} />
      <Day label="To" value={to} min={from} max={max} onChange={(day) => onChange({ from, to: day })} />
    </div>
  )
}

interface DayProps {
  label: string
  value: string
  min?: string
  max: string | undefined
  onChange: (day: string) => void
}

/** Labels the day as UTC, because rows show times in the member's time zone (API-08). */
const Day = ({ label, onChange, ...day }: DayProps) => (
  <label className="min-w-0 flex-1 text-xs text-faint">
    <span className="mb-1 block" title="Days begin and end at midnight UTC">
      {label} <span className="text-2xs">UTC</span>
    </span>
    <Input {...day} type="date" onChange={(event) => onChange(event.target.value)} className="min-h-9 py-1.5 text-sm max-[400px]:px-2" />
  </label>
)
