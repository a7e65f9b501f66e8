import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** Accessible name, also shown on hover. */
  label: string
  size?: 'sm' | 'md' | undefined
}

/** Square button with one icon and an accessible name. */
export function IconButton({ label, size = 'md', className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={rest.title ?? label}
      className={cx(
        'inline-flex shrink-0 items-center justify-center text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-50',
        size === 'md' ? 'size-9 rounded-lg *:[svg]:size-[18px]' : 'size-7 rounded-md *:[svg]:size-4',
        className,
      )}
    />
  )
}
