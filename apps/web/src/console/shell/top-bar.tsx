import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import Check from 'lucide-react/icons/check'
import Search from 'lucide-react/icons/search'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Link } from 'wouter'
import { SandboxRibbon } from '../../app/sandbox/sandbox-ribbon.tsx'
import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useMe } from '../kit/me.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { isOld } from '../kit/panel.tsx'
import { coverageRatio, coverageText, failingOf, reservesOf } from '../kit/platform-status.ts'
import { AccountMenu } from './account-menu.tsx'
import { pages, pathOf } from './pages.ts'
import type { useOverview } from '../kit/overview.ts'

/** Age in ms at which a figure turns grey and loses its tick. */
const OLD_MS = 30_000
/** Interval of the ledger check, in seconds. */
const LEDGER_CHECK_SECONDS = 300
type Overview = ReplyOf<typeof staffOverview>
const HUNDRED = 100_00000000n

const differencesText = (count: number): string => (count === 0 ? 'no differences' : count === 1 ? '1 difference' : `${count} differences`)

export interface TopBarProps {
  title: string
  overview: ReturnType<typeof useOverview>
  search: () => void
  /** Opens the list of keyboard shortcuts. */
  onShortcuts: () => void
  onSignOut: () => Promise<void>
}

/** Shows the title, data freshness and the platform status. On phones it has the search and the account menu, as there is no sidebar. */
export function TopBar({ title, overview, search, onShortcuts, onSignOut }: TopBarProps) {
  const me = useMe()
  const at = overview.data?.at
  const fresh = at !== undefined && !overview.isError && Date.now() - overview.dataUpdatedAt < OLD_MS
  return (
    <header className="flex h-[46px] flex-none items-center gap-3 border-b px-4 max-md:sticky max-md:top-0 max-md:z-5 max-md:h-[52px] max-md:bg-surface">
      <h1 className="flex items-center gap-1.5 text-sm font-semi empty:hidden">{title}</h1>
      <SandboxRibbon />
      <span
        className={cx(
          'flex items-center gap-1.5 text-[12px] text-faint before:size-1.5 before:rounded-full max-md:hidden',
          fresh ? 'before:bg-success' : 'before:bg-faint',
        )}
      >
        {at === undefined ? 'Loading' : `${fresh ? 'Live' : 'Last update'}, ${at.toISOString().slice(11, 19)} UTC`}
      </span>
      <PlatformStatus data={overview.data} fresh={fresh} />
      <span className="md:hidden flex min-w-0 items-center gap-2 ml-auto">
        <IconButton label="Search" onClick={search}>
          <Search aria-hidden="true" />
        </IconButton>
        <AccountMenu
          onShortcuts={onShortcuts}
          onSignOut={onSignOut}
          triggerClass="rounded-md"
          trigger={<Avatar name={me.person.name} staff />}
        />
      </span>
    </header>
  )
}

/** Shows the status of ledger, reserves, coverage and jobs, each with a link (staff.md 1). */
function PlatformStatus({ data, fresh }: { data: Overview | undefined; fresh: boolean }) {
  const me = useMe()
  const percent = (ratio: bigint | null) => Object.values(coverageText(ratio, 0)).join(' ')
  const to = (name: string) => {
    const view = pages.find((one) => one.name === name && me.rights.includes(one.right))
    return view === undefined ? '/staff' : pathOf(view)
  }
  const reserves = data === undefined ? null : reservesOf(data)
  const coverage = data === undefined ? null : coverageRatio(data)
  const failing = data === undefined ? undefined : failingOf(data).length
  const ledgerCheck = data?.ledger
  const known = fresh && data !== undefined
  return (
    <ul className="ml-auto flex items-center max-md:hidden" aria-label="Platform status">
      <Indicator
        name="Ledger"
        href={to('ledger')}
        value={ledgerCheck ? differencesText(ledgerCheck.differences) : 'not checked'}
        good={ledgerCheck?.ok === true}
        known={known && !(ledgerCheck && isOld(ledgerCheck.at, LEDGER_CHECK_SECONDS))}
      />
      <Indicator name="Reserves" href="/staff" value={percent(reserves)} good={(reserves ?? HUNDRED) >= HUNDRED} known={known} />
      <Indicator name="Coverage" href={to('rewards')} value={percent(coverage)} good={(coverage ?? HUNDRED) >= HUNDRED} known={known} />
      <Indicator
        name="Jobs"
        href="/staff"
        value={failing === undefined ? '–' : failing === 0 ? 'all OK' : `${failing} failing`}
        good={failing === 0}
        known={known}
      />
    </ul>
  )
}

function Indicator({ name, href, value, good, known }: { name: string; href: string; value: string; good: boolean; known: boolean }) {
  return (
    <li className="border-r last:border-r-0 last:pr-0.5">
      <Link className="flex items-center gap-1.5 px-2.5 py-[3px] text-[12px] leading-4 text-muted [&>svg]:size-4" href={href}>
        {known &&
          (good ? (
            <Check className="text-success" aria-label="OK" />
          ) : (
            <TriangleAlert className="text-warning" aria-label="Needs attention" />
          ))}
        {name} <b className={cx('font-semi', known ? 'text-ink' : 'text-faint')}>{value}</b>
      </Link>
    </li>
  )
}
