import { cx } from '../../ui/cx.ts'

export interface ChoiceProps<Value extends string | number> {
  label: string
  /** Values and their labels. */
  of: readonly (readonly [Value, string])[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/** Picks one of a few options, shown side by side. */
export const Choice = <Value extends string | number>({ label, of, value, onChange, className }: ChoiceProps<Value>) => (
  <div className={cx('inline-flex rounded-md bg-raised p-0.5', className)} role="group" aria-label={label}>
    {of.map(([one, text]) => (
      <button
        key={one}
        type="button"
        className={cx('h-6 rounded-sm px-[9px] text-xs font-medium', one === value ? 'bg-surface text-ink ring-1 ring-line' : 'text-muted')}
        aria-pressed={one === value}
        onClick={() => onChange(one)}
      >
        {text}
      </button>
    ))}
  </div>
)
