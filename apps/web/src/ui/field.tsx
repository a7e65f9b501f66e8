import { useId } from 'react'
import type { ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { cx } from './cx.ts'
import { FieldContext } from './field-context.ts'

export interface FieldProps {
  label: ReactNode
  /** Hides the label visually only. */
  labelHidden?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
  /** Right of the label: a link or balance. */
  aside?: ReactNode
  /** Groups several controls (radios) as a fieldset with a legend. */
  group?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

/** Links a label, one control, its hint and its error by ids. */
export function Field({ label, labelHidden, hint, error, required, aside, group, className, children }: FieldProps) {
  const id = useId()
  const describedBy = cx(error && `${id}-error`, hint ? `${id}-hint` : null) || undefined
  const caption = cx(labelHidden && 'sr-only', 'text-sm font-semi text-ink')
  const name = (
    <>
      {label}
      {required && (
        <span aria-hidden="true" className="ms-0.5 text-danger">
          *
        </span>
      )}
    </>
  )
  const body = (
    <FieldContext value={{ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined, required }}>
      {children}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
          <CircleAlert size={14} className="mt-[3px]" aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-faint">
          {hint}
        </div>
      )}
    </FieldContext>
  )
  if (group) {
    return (
      <fieldset className={className} aria-describedby={describedBy}>
        <legend className={cx(caption, !labelHidden && 'mb-1.5')}>{name}</legend>
        {body}
      </fieldset>
    )
  }
  return (
    <div className={className}>
      <div className={cx('flex flex-wrap items-baseline justify-between gap-x-3', !(labelHidden && !aside) && 'mb-1.5')}>
        <label htmlFor={id} className={caption}>
          {name}
        </label>
        {aside && <span className="ms-auto text-sm text-faint">{aside}</span>}
      </div>
      {body}
    </div>
  )
}
