import { t } from '@tizara/languages'
import { useId, useState } from 'react'
import { cx } from './cx.ts'
import { Input } from './input.tsx'
import { Select } from './select.tsx'

interface Days {
  /** `YYYY-MM-DD`, or empty for no limit. */
  from: string
  to: string
}

export interface DateRangeProps extends Days {
  onChange: (range: Days) => void
  /** Today in UTC, the latest selectable day. */
  max: string
  /** For a list that is never without a limit: offers no "All days". */
  isBounded?: boolean | undefined
  className?: string | undefined
}

const CUSTOM = 'custom'

interface Period {
  value: string
  label: string
  /** Returns the first day of the period that ends on a day. */
  from: (today: string) => string
}

/** Returns the periods that end today, with labels in the language of the page. */
const periodsUntilToday = (): readonly Period[] => [
  { value: '', label: t('All days'), from: () => '' },
  ...[7, 30, 90].map((days) => ({
    value: String(days),
    label: t('Last {days} days', { days }),
    from: (today: string) => dayBefore(today, days - 1),
  })),
  { value: 'month', label: t('This month'), from: (today) => `${today.slice(0, 8)}01` },
]

/** Returns the UTC day a number of days before another. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 864e5).toISOString().slice(0, 10)
}

/** Chooses a period of UTC days: 7, 30 or 90 days, this month, or any days in two native fields. The start cannot pass the end. */
export function DateRange({ from, to, onChange, max, isBounded, className }: DateRangeProps) {
  const id = useId()
  const [isCustom, setIsCustom] = useState(false)
  const periods = periodsUntilToday().filter((period) => period.value !== '' || isBounded !== true)
  const known = periods.find((period) => period.from(max) === from && (to === '' || to === max))
  const value = isCustom ? CUSTOM : (known?.value ?? CUSTOM)
  function choose(next: string): void {
    setIsCustom(next === CUSTOM)
    const period = periods.find((one) => one.value === next)
    if (period !== undefined) onChange({ from: period.from(max), to: '' })
  }
  return (
    <div className={cx('flex flex-wrap items-end gap-2', className)}>
      <div className="text-xs text-faint">
        <label htmlFor={id} className="mb-1 block">
          {t('Period')}
        </label>
        <Select
          id={id}
          value={value}
          onChange={(event) => choose(event.target.value)}
          options={[...periods, { value: CUSTOM, label: t('Chosen days') }]}
          className="w-36 text-sm [&>select]:min-h-9 [&>select]:py-1.5"
        />
      </div>
      {value === CUSTOM && (
        <div className="flex w-full gap-2 sm:w-auto">
          <Day label={t('From')} value={from} max={to || max} onChange={(day) => onChange({ from: day, to })} />
          <Day label={t('To')} value={to} min={from} max={max} onChange={(day) => onChange({ from, to: day })} />
        </div>
      )}
    </div>
  )
}

interface DayProps {
  label: string
  value: string
  min?: string
  max: string
  onChange: (day: string) => void
}

/** Labels the day as UTC, because rows show times in the member's time zone (API-08). */
const Day = ({ label, onChange, ...day }: DayProps) => (
  <label className="min-w-0 flex-1 text-xs text-faint">
    <span className="mb-1 block" title={t('Days begin and end at midnight UTC')}>
      {label} <span className="text-2xs">{t('UTC')}</span>
    </span>
    <Input {...day} type="date" onChange={(event) => onChange(event.target.value)} className="min-h-9 py-1.5 text-sm max-[400px]:px-2" />
  </label>
)
