import { useId } from 'react'
import type { FormField } from './offers.ts'

const YES_NO = [
  ['yes', 'yes'],
  ['no', 'no'],
] as const

export interface FieldOfProps {
  field: FormField
  /** Current value; blank for a new item. */
  held: string
  value: string
  onChange: (text: string) => void
}

export function FieldOf({ field: { kind, label, unit }, held, value, onChange }: FieldOfProps) {
  const id = useId()
  const choices = kind === 'yes' ? YES_NO : typeof kind === 'string' ? undefined : kind
  const isLong = kind === 'lines' || kind === 'list'
  const common = { id, className: 'control', value, 'aria-describedby': `${id}-h` }
  return (
    <div>
      <label className="mb-1 block font-medium font-semi" htmlFor={id}>
        {unit === undefined || unit === label ? label : `${label}, ${unit}`}
      </label>
      {choices !== undefined ? (
        <select {...common} onChange={(event) => onChange(event.target.value)}>
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      ) : isLong ? (
        <textarea {...common} rows={kind === 'lines' ? 4 : 6} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...common}
          inputMode={kind === 'figure' ? 'decimal' : kind === 'whole' ? 'numeric' : 'text'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <span id={`${id}-h`} className="text-xs text-faint">
        {held !== '' && held !== value && !isLong ? `current: ${choices?.find(([one]) => one === held)?.[1] ?? held}` : ''}
      </span>
    </div>
  )
}
