import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import Search from 'lucide-react/icons/search'
import { Link } from 'wouter'
import { ThemeSwitch } from '../../app/theme-switch.tsx'
import { useAppConfig } from '../../settings/index.ts'
import { BrandMark } from '../../ui/art/brand-mark.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { type Me, useMe } from '../kit/me.tsx'
import { plain } from '../kit/strip-control-characters.ts'
import { utcAndLocal, clock } from '../kit/when.ts'
import { AccountMenu } from './account-menu.tsx'
import type { ConsolePage } from './console-page.ts'
import { menu, pathOf } from './pages.ts'
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
    <aside className="side" aria-label="Console">
      <div className="brand">
        <BrandMark size={26} />
        {brandName}
        <Tag>Staff</Tag>
      </div>
      <button type="button" className="find" onClick={search}>
        <Search aria-hidden="true" />
        Search or jump to<Kbd className="ml-auto">{MOD} K</Kbd>
      </button>
      <nav className="nav" aria-label="Views">
        {menu.map((group) => {
          const visiblePages = group.pages.filter((one) => views.includes(one))
          return (
            visiblePages.length > 0 && (
              <div key={group.title}>
                {group.title !== '' && <h2>{group.title}</h2>}
                {visiblePages.map((one) => (
                  <Link
                    key={one.name}
                    href={pathOf(one)}
                    className={one === view ? 'on' : ''}
                    aria-current={one === view ? 'page' : undefined}
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
    <div className="me">
      <AccountMenu
        onShortcuts={onShortcuts}
        onSignOut={onSignOut}
        triggerClass="flex min-w-0 items-center gap-2 flex-1"
        trigger={
          <>
            <Avatar name={me.person.name} size="m" staff />
            <span className="min-w-0 flex-1">
              <span className="font-semi truncate">{plain(me.person.name)}</span>
              <span className="text-2xs text-muted truncate" title={`${me.person.email}, until ${utcAndLocal(me.endsAt)}`}>
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
    <span className={isLate(count) ? 'n late' : 'n'} title={label}>
      <span aria-hidden="true">
        {count.forMe}
        {count.forMe !== count.count && <em> / {count.count}</em>}
      </span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
