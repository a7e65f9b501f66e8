import { cx } from './cx.ts'

/** Returns tab row classes; `inBar` for a row inside a pane bar, which already has a border. */
export const tabsClass = (inBar = false): string => cx('flex overflow-x-auto', inBar ? 'gap-3.5 self-stretch' : 'gap-[18px] border-b')

/** Returns tab classes, for a link or a button. */
export const tabClass = (isOn: boolean): string =>
  cx(
    'inline-flex min-h-[38px] items-center gap-1.5 border-b-2 font-medium whitespace-nowrap',
    isOn ? 'border-accent-line text-ink' : 'border-transparent text-muted hover:text-ink',
  )

/** Count beside a tab or filter. */
export const Count = ({ children }: { children: React.ReactNode }) => (
  <span className="rounded-full bg-hover px-[5px] text-[11px]/4 text-muted">{children}</span>
)
