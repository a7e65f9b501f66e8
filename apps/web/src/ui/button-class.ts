import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'
export type ButtonSize = 'sm' | 'md' | 'lg'

const VARIANT: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-hover [&_kbd]:border-current/35 [&_kbd]:bg-transparent [&_kbd]:text-inherit',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-hover',
  ghost: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  'danger-quiet': 'border-line-strong bg-surface text-danger hover:bg-hover',
  danger: 'border-transparent bg-danger-solid text-white hover:bg-danger-hover',
}
const SIZE: Record<ButtonSize, string> = {
  sm: 'min-h-(--button-sm) gap-1.5 rounded-md px-2.5 text-xs',
  md: 'min-h-(--button-md) gap-2 rounded-lg px-3.5 text-sm',
  lg: 'min-h-(--button-lg) gap-2 rounded-lg px-5 text-base',
}

/** Returns button classes, for links styled as buttons: `<Link className={buttonClass('primary')}>`. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', extra?: string): string {
  return cx(
    'relative inline-flex items-center justify-center border py-1 text-center font-semi transition-colors select-none',
    'disabled:opacity-50 active:translate-y-px disabled:active:translate-y-0 not-aria-busy:aria-disabled:opacity-50 [&_kbd]:ms-1.5',
    VARIANT[variant],
    SIZE[size],
    extra,
  )
}
