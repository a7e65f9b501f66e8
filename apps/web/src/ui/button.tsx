import { t } from '@tizara/languages'
import { useState } from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { buttonClass } from './button-class.ts'
import type { ButtonSize, ButtonVariant } from './button-class.ts'
import { Spinner } from './spinner.tsx'

export { buttonClass } from './button-class.ts'
export type { ButtonSize, ButtonVariant } from './button-class.ts'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Shows the spinner and ignores presses; focus does not move. */
  pending?: boolean | undefined
  pendingLabel?: string | undefined
  icon?: ReactNode
  /** Fills its container's width. */
  block?: boolean | undefined
  /** If it returns a promise, the button is pending until the promise settles. */
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined
}

/** Button that ignores a second press while its handler runs. */
export function Button(props: ButtonProps) {
  const { variant, size, pending, pendingLabel = t('Working'), icon, block, onClick, className, children, type = 'button', ...rest } = props
  const [running, setRunning] = useState(false)
  const busy = Boolean(pending) || running

  function press(event: MouseEvent<HTMLButtonElement>): void {
    if (busy || rest['aria-disabled'] === true) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const result = onClick?.(event)
    if (result instanceof Promise) {
      setRunning(true)
      const settle = (): void => setRunning(false)
      result.then(settle, settle)
    }
  }

  const extra = [block && 'w-full', busy && 'opacity-80', className].filter(Boolean).join(' ')
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(variant, size, extra)}
      onClick={press}
    >
      {busy && <Spinner label={pendingLabel} className="absolute inset-0 items-center justify-center" />}
      <span className={busy ? 'contents *:opacity-0' : 'contents'}>
        {icon}
        <span>{children}</span>
      </span>
    </button>
  )
}
