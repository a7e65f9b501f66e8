import { t } from '@tizara/languages'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useProfile } from '../../members/index.ts'
import { cx } from '../../ui/cx.ts'
import { menu, type MenuEntry } from './menu.ts'

export interface SidebarNavProps {
  /** Shows labels; otherwise only icons. */
  wide: boolean
  /** Called when a group is pressed in icon mode. */
  onWiden?: (() => void) | undefined
}

/** Menu (UI-SIDEBAR rows). The current page opens its group (UI-SIDEBAR-05). */
export function SidebarNav({ wide, onWiden }: SidebarNavProps) {
  const { data: member } = useProfile()
  return (
    <nav aria-label={t('Main menu')}>
      <ul className="space-y-0.5">
        {menu.map((entry) =>
          entry.visible?.(member) === false ? null : (
            <li key={entry.label} className={entry.divider === true ? 'mt-2 border-t pt-2' : undefined}>
              {entry.items === undefined ? <Item entry={entry} wide={wide} /> : <Group entry={entry} wide={wide} onWiden={onWiden} />}
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}

function lineClass(on: boolean, wide: boolean): string {
  return cx(
    'flex min-h-9 w-full items-center gap-3 rounded-lg text-start font-medium transition-colors *:[svg]:size-[18px]',
    wide ? 'px-2.5' : 'justify-center',
    on ? 'bg-accent-soft text-ink *:[svg]:text-accent' : 'text-muted hover:bg-hover hover:text-ink *:[svg]:text-faint',
  )
}

function Item({ entry, wide }: { entry: MenuEntry; wide: boolean }) {
  const [pathname] = useLocation()
  const on = pathname === entry.href
  const Icon = entry.icon
  return (
    <Link
      href={entry.href ?? '/'}
      aria-current={on ? 'page' : undefined}
      title={wide ? undefined : entry.label}
      className={lineClass(on, wide)}
    >
      <Icon aria-hidden="true" />
      <span className={wide ? undefined : 'sr-only'}>{entry.label}</span>
    </Link>
  )
}

function Group({ entry, wide, onWiden }: { entry: MenuEntry } & SidebarNavProps) {
  const id = useId()
  const [pathname] = useLocation()
  const items = entry.items ?? []
  const hasCurrent = items.some((item) => item.href === pathname)
  // A manual toggle lasts until the next navigation.
  const [pressed, setPressed] = useState<{ at: string; open: boolean }>()
  const open = wide && (pressed?.at === pathname ? pressed.open : hasCurrent)
  const Icon = entry.icon

  function press(): void {
    if (!wide) onWiden?.()
    setPressed({ at: pathname, open: !open })
  }

  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        title={wide ? undefined : entry.label}
        className={lineClass(hasCurrent && !open, wide)}
        onClick={press}
      >
        <Icon aria-hidden="true" />
        <span className={wide ? 'flex-1' : 'sr-only'}>{entry.label}</span>
        {wide && <ChevronDown aria-hidden="true" className={cx('transition-transform', open && 'rotate-180')} />}
      </button>
      <ul id={id} hidden={!open} className="mt-0.5 mb-1 ms-[1.15rem] space-y-0.5 border-s ps-3">
        {items.map((item) => {
          const on = item.href === pathname
          return (
            <li key={item.href}>
              <Link
                href={item.href}
                aria-current={on ? 'page' : undefined}
                className={cx(
                  'flex min-h-8 items-center rounded-md px-2.5 text-sm font-medium transition-colors',
                  on ? 'bg-accent-soft text-ink' : 'text-muted hover:bg-hover hover:text-ink',
                )}
              >
                {item.label}
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
