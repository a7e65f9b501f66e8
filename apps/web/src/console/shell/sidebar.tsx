import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import Search from 'lucide-react/icons/search'
import { Link } from 'wouter'
import { ThemeSwitch } from '../../app/frame/theme-switch.tsx'
import { useAppConfig } from '../../settings/index.ts'
import { BrandMark } from '../../ui/art/brand-mark.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { findClass } from '../kit/find-class.ts'
import { type Me, useMe } from '../kit/me.tsx'
import { plain } from '../kit/strip-control-characters.ts'
import { utcAndLocal, clock } from '../kit/when.ts'
import { AccountMenu } from './account-menu.tsx'
import type { ConsolePage } from './console-page.ts'
import { menu, pathOf, preloadPage } from './pages.ts'
import { cx } from '../../ui/cx.ts'
import { Tag } from '../../ui/tag.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { MOD } from '../kit/mod-key.ts'

export type Work = ReplyOf<typeof staffOverview>['work']
type Count = NonNullable<Work>[keyof NonNullable<Work>]

export interface FrameParts {
  view: ConsolePage | undefined
  views: readonly ConsolePage[]
  work: Work
  search: () => void
}

const PAGE_LINK = 'flex h-[30px] items-center gap-[9px] rounded-[7px] px-2 font-medium [&>svg]:size-4'
const CURRENT_PAGE = 'bg-[color-mix(in_oklch,var(--ink)_7%,transparent)] text-ink [&>svg]:text-accent'
const OTHER_PAGE = 'text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint'

const HOUR_MS = 3_600_000

export const countOf = (work: Work, name: string): Count | undefined =>
  work === undefined ? undefined : new Map(Object.entries(work)).get(name)

const isLate = (count: Count) => count.oldestAt !== null && Date.now() - count.oldestAt.getTime() > count.targetHours * HOUR_MS

/** Shows search, menu, and the person with sign-out. */
export function Sidebar({
  view,
  views,
  work,
  search,
  onShortcuts,
  onSignOut,
}: FrameParts & { onShortcuts: () => void; onSignOut: () => Promise<void> }) {
  const { brandName } = useAppConfig()
  const me = useMe()
  return (
    <aside className="flex min-h-0 flex-col pt-2.5 pr-2 pb-2 pl-2.5 max-md:hidden" aria-label="Console">
      <div className="flex items-center gap-[9px] px-1.5 pt-1 pb-2.5 text-[14px] font-strong tracking-[-0.012em]">
        <BrandMark size={26} />
        {brandName}
        <Tag>Staff</Tag>
      </div>
      <button type="button" className={findClass()} onClick={search}>
        <Search aria-hidden="true" />
        Search or jump to<Kbd className="ml-auto">{MOD} K</Kbd>
      </button>
      <nav className="min-h-0 flex-1 overflow-auto pt-2.5" aria-label="Views">
        {menu.map((group) => {
          const visiblePages = group.pages.filter((one) => views.includes(one))
          return (
            visiblePages.length > 0 && (
              <div key={group.title}>
                {group.title !== '' && <h2 className="mx-2 mt-3.5 mb-1 text-2xs font-semi text-faint">{group.title}</h2>}
                {visiblePages.map((one) => (
                  <Link
                    key={one.name}
                    href={pathOf(one)}
                    className={cx(PAGE_LINK, one === view ? CURRENT_PAGE : OTHER_PAGE)}
                    aria-current={one === view ? 'page' : undefined}
                    onPointerEnter={() => preloadPage(one)}
                    onFocus={() => preloadPage(one)}
                  >
                    <one.icon aria-hidden="true" />
                    {one.title}
                    <Number count={countOf(work, one.name)} />
                  </Link>
                ))}
              </div>
            )
          )
        })}
      </nav>
      <Person me={me} onShortcuts={onShortcuts} onSignOut={onSignOut} />
    </aside>
  )
}

/** Shows the signed-in person and the session's end. A press opens the account menu. */
function Person({ me, onShortcuts, onSignOut }: { me: Me; onShortcuts: () => void; onSignOut: () => Promise<void> }) {
  return (
    <div className="flex items-center gap-1.5 border-t pt-2 pb-0.5">
      <AccountMenu
        onShortcuts={onShortcuts}
        onSignOut={onSignOut}
        triggerClass="flex min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 py-1 text-left hover:bg-hover"
        trigger={
          <>
            <Avatar name={me.person.name} size="m" staff />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semi">{plain(me.person.name)}</span>
              <span className="block truncate text-2xs text-muted" title={`${me.person.email}, until ${utcAndLocal(me.endsAt)}`}>
                {me.role} until {clock(me.endsAt)}
              </span>
            </span>
          </>
        }
      />
      <ThemeSwitch />
    </div>
  )
}

/** Counts for the reader and in total. Amber if the oldest is past its target. */
function Number({ count }: { count: Count | undefined }) {
  if (count === undefined || count.count === 0) return null
  const label = `${count.forMe} for you, ${count.count} in all${isLate(count) ? ', the oldest is late' : ''}`
  return (
    <span className={cx('ml-auto text-[12px] font-semi', isLate(count) ? 'text-warning' : 'text-muted')} title={label}>
      <span aria-hidden="true">
        {count.forMe}
        {count.forMe !== count.count && <em className="font-[450] text-faint not-italic"> / {count.count}</em>}
      </span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
