import { t } from '@tizara/languages'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface SplitProps {
  /** Grid columns on wide screens, `md:grid-cols-[…]`. */
  columns: string
  /** On phones, the open item replaces the list. */
  isOpen: boolean
  /** On phones, shows the third pane below the second. */
  thirdOnPhone?: boolean | undefined
  children: ReactNode
}

/** Panes with independent scrolling: a list, the open item, and its details. Phones show one at a time. */
export function Split({ columns, isOpen, thirdOnPhone, children }: SplitProps) {
  return (
    <div
      className={cx(
        'min-h-0 flex-1 md:grid md:overflow-hidden',
        columns,
        isOpen
          ? 'max-md:[&>*:first-child]:hidden max-md:[&>*:nth-child(2)]:min-h-[calc(100vh-108px)]'
          : 'max-md:[&>*:not(:first-child)]:hidden',
        isOpen && thirdOnPhone !== true && 'max-md:[&>*:nth-child(3)]:hidden',
      )}
    >
      {children}
    </div>
  )
}

export interface PaneProps extends ComponentProps<'section'> {
  as?: 'section' | 'aside' | undefined
}

export function Pane({ as: Element = 'section', className, ...rest }: PaneProps) {
  return <Element {...rest} className={cx('flex min-h-0 min-w-0 flex-col border-s first:border-s-0 max-md:border-s-0', className)} />
}

/** Pane's top bar: tabs, filters or the item's name. */
export const PaneBar = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    className={cx('flex min-h-11 flex-none items-center gap-2 border-b px-3 *:whitespace-nowrap max-md:overflow-x-auto', className)}
  />
)

/** Returns from the open item to the list, on phones. */
export const BackButton = ({ label = t('Back'), onClick }: { label?: string; onClick: () => void }) => (
  <button
    type="button"
    className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover md:hidden"
    aria-label={label}
    onClick={onClick}
  >
    <ArrowLeft size={16} aria-hidden="true" className="rtl:-scale-x-100" />
  </button>
)

/** Pane footer: totals and keyboard shortcuts. */
export const PaneFoot = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cx('flex flex-none items-center gap-2.5 border-t bg-raised px-3 py-2.5', className)} />
)

/** Pane section with an `h3` heading; a `span` in it is a note on the right. */
export const PaneSection = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    className={cx(
      'border-t px-4 py-3.5 first:border-t-0 [&>h3]:mb-1.5 [&>h3]:flex [&>h3]:items-center [&>h3]:gap-1.5 [&>h3]:text-xs [&>h3]:font-semi [&>h3]:text-muted',
      '[&>h3>span]:ms-auto [&>h3>span]:font-normal [&>h3>span]:text-faint',
      className,
    )}
  />
)
