import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** Keyboard key; hidden on phones, which have none. */
export const Kbd = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <kbd
    className={cx(
      'inline-grid h-[18px] min-w-[18px] place-items-center rounded-[5px] border border-line bg-surface px-1 font-sans text-[11px]/none font-medium text-faint max-md:hidden',
      className,
    )}
  >
    {children}
  </kbd>
)
