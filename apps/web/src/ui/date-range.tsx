import { cx } from './cx.ts'
import { Input } from './input.tsx'

export interface DateRangeProps {
  /** `YYYY-MM-DD` or empty. */
  from: string
  to: string
  onChange: (range: { from: string; to: string }) => void
  fromLabel?: string | undefined
  toLabel?: string | undefined
  /** The latest day that can be chosen. */
  max?: string | undefined
  className?: string | undefined
}

/** Rows show their moments in the member's own zone: beside it a day has to say which one it means (API-08). */
const UTC = 'Days begin and end at midnight UTC'

/** Two native dates, days of UTC, that cannot cross. */
export function DateRange({ from, to, onChange, fromLabel = 'From', toLabel = 'To', max, className }: DateRangeProps) {
  return (
    <div className={cx('flex w-full gap-2 sm:w-auto', className)}>
      <label className="min-w-0 flex-1 text-xs text-faint">
        <span className="mb-1 block" title={UTC}>
          {fromLabel} <span className="text-2xs">UTC</span>
        </span>
        <Input
          type="date"
          value={from}
          max={to || max}
          onChange={(event) => onChange({ from: event.target.value, to })}
          className="min-h-9 py-1.5 text-sm"
        />
      </label>
      <label className="min-w-0 flex-1 text-xs text-faint">
        <span className="mb-1 block" title={UTC}>
          {toLabel} <span className="text-2xs">UTC</span>
        </span>
        <Input
          type="date"
          value={to}
          min={from}
          max={max}
          onChange={(event) => onChange({ from, to: event.target.value })}
          className="min-h-9 py-1.5 text-sm"
        />
      </label>
    </div>
  )
}
