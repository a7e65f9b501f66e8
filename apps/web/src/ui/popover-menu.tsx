import { Fragment, useId, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { positionPopover } from './position-popover.ts'

export interface MenuItem {
  key: string
  label: ReactNode
  icon?: ReactNode
  /** Makes the item a link; `onSelect` may call `event.preventDefault()` and navigate itself. */
  href?: string | undefined
  onSelect?: ((event: MouseEvent<HTMLElement>) => void) | undefined
  /** Draws a line above the item. */
  divider?: boolean | undefined
}

export interface PopoverMenuProps {
  /** Accessible name for the menu, and for the button if it shows no text. */
  label: string
  trigger: ReactNode
  /** Button classes, for example `buttonClass(…)`. */
  triggerClass?: string | undefined
  items: readonly MenuItem[]
  /** Above the items, for example the signed-in member. */
  header?: ReactNode
}

/** Menu button with arrow keys, Home, End and first letters; Escape or a press outside closes it. */
export function PopoverMenu({ label, trigger, triggerClass, items, header }: PopoverMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const all = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  /** Positions the open menu and focuses its first item. */
  function settle(): void {
    if (!menu.current || !button.current || menu.current.contains(document.activeElement)) return
    positionPopover(menu.current, button.current, 'end')
    all()[0]?.focus()
  }

  function move(event: KeyboardEvent): void {
    const list = all()
    const now = list.indexOf(document.activeElement as HTMLElement)
    const step: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now < 0 ? -1 : now - 1, Home: 0, End: -1 }
    let next = step[event.key]
    if (event.key === 'Tab') return menu.current?.hidePopover()
    if (next === undefined && event.key.length === 1 && event.key !== ' ') {
      const from = [...list.slice(now + 1), ...list.slice(0, now + 1)]
      const hit = from.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))
      next = hit && list.indexOf(hit)
    }
    if (next === undefined) return
    event.preventDefault()
    list.at(next % (list.length || 1))?.focus()
  }

  function choose(event: MouseEvent<HTMLElement>, item: MenuItem): void {
    menu.current?.hidePopover()
    item.onSelect?.(event)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        className={triggerClass}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          menu.current?.showPopover()
          settle()
        }}
      >
        {trigger}
        {/* Uses text, not aria-label, because the name must contain the visible text, such as avatar initials. */}
        {typeof trigger !== 'string' && <span className="sr-only">{label}</span>}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="min-w-52 animate-in rounded-xl border bg-surface p-1.5 shadow-elevate"
        onToggle={(event) => {
          const shown = event.newState === 'open'
          setOpen(shown)
          if (!shown) return
          settle()
        }}
      >
        {header && <div className="mb-1.5 border-b px-2.5 pt-1.5 pb-2.5">{header}</div>}
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={move}>
          {items.map((item) => {
            const Tag = item.href ? 'a' : 'button'
            return (
              <Fragment key={item.key}>
                {item.divider && <hr className="my-1.5 border-t" />}
                <Tag
                  role="menuitem"
                  tabIndex={-1}
                  {...(item.href ? { href: item.href } : { type: 'button' as const })}
                  onClick={(event: MouseEvent<HTMLElement>) => choose(event, item)}
                  className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-start text-sm text-ink outline-none hover:bg-hover focus:bg-hover *:[svg]:size-4 *:[svg]:text-faint"
                >
                  {item.icon}
                  {item.label}
                </Tag>
              </Fragment>
            )
          })}
        </div>
      </div>
    </>
  )
}
