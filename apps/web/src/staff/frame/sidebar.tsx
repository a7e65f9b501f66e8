import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Search from 'lucide-react/icons/search'
import { Link } from 'wouter'
import { ThemeSwitch } from '../../app/theme-switch.tsx'
import { useAppConfig } from '../../settings/index.ts'
import { BrandMark } from '../../ui/art/brand-mark.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Avatar } from '../lib/avatar.tsx'
import { useMe } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { brief } from '../lib/when.ts'
import { groups, pathOf, type View } from '../views.ts'

export type Work = ReplyOf<typeof staffOverview>['work']
type Count = NonNullable<Work>[keyof NonNullable<Work>]

export interface FrameParts {
  view: View | undefined
  views: readonly View[]
  work: Work
  search: () => void
}

const HOUR_MS = 3_600_000

export const countOf = (work: Work, name: string): Count | undefined =>
  work === undefined ? undefined : new Map(Object.entries(work)).get(name)

const isLate = (count: Count) => count.oldestAt !== null && Date.now() - count.oldestAt.getTime() > count.targetHours * HOUR_MS

/** Search, menu, and the person with the end of the session. */
export function Sidebar({ view, views, work, search, keys, onEnd }: FrameParts & { keys: () => void; onEnd: () => Promise<void> }) {
  const { brandName } = useAppConfig()
  const me = useMe()
  return (
    <aside className="side" aria-label="Console">
      <div className="brand">
        <BrandMark size={26} />
        {brandName}
        <span className="tag">Staff</span>
      </div>
      <button type="button" className="find" onClick={search}>
        <Search aria-hidden="true" />
        Search or jump to<kbd className="kbd">⌘ K</kbd>
      </button>
      <nav className="nav" aria-label="Views">
        {groups.map((group) => {
          const own = group.views.filter((one) => views.includes(one))
          return (
            own.length > 0 && (
              <div key={group.title}>
                {group.title !== '' && <h2>{group.title}</h2>}
                {own.map((one) => (
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
      <div className="me">
        <Avatar name={me.person.name} size="m" staff />
        <div className="grow">
          <div className="b tr">{plain(me.person.name)}</div>
          <div className="xs mut" title={me.person.email}>
            {me.role} until {brief(me.endsAt)} UTC
          </div>
        </div>
        <div className="tools">
          <IconButton label="Keys" size="sm" onClick={keys}>
            <Keyboard aria-hidden="true" />
          </IconButton>
          <ThemeSwitch />
          <IconButton label="Log Out" size="sm" onClick={() => void onEnd()}>
            <LogOut aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </aside>
  )
}

/** For me / all; amber when the oldest is past its target. */
function Number({ count }: { count: Count | undefined }) {
  if (count === undefined || count.count === 0) return null
  const words = `${count.forMe} for you, ${count.count} in all${isLate(count) ? ', the oldest is late' : ''}`
  return (
    <span className={isLate(count) ? 'n late' : 'n'} title={words}>
      <span aria-hidden="true">
        {count.forMe}
        {count.forMe !== count.count && <em> / {count.count}</em>}
      </span>
      <span className="sr">{words}</span>
    </span>
  )
}
