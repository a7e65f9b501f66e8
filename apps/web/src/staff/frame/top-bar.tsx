import { trustPage } from '@tizara/contract/trust'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Search from 'lucide-react/icons/search'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { IconButton } from '../../ui/icon-button.tsx'
import { formatAmount } from '../../ui/money-format.ts'
import { useMe } from '../lib/me.tsx'
import { Avatar } from '../lib/avatar.tsx'
import { watch } from '../lib/watch.ts'
import type { useOverview } from '../lib/overview.ts'

/** A figure older than so much turns grey and loses its tick. */
const OLD_MS = 30_000
const HUNDRED = 100_00000000n

/** Where one is, whether what one sees is fresh, and the house's four vital signs. */
export function TopBar({ title, overview, search }: { title: string; overview: ReturnType<typeof useOverview>; search: () => void }) {
  const me = useMe()
  const at = overview.data?.at
  const fresh = at !== undefined && !overview.isError && Date.now() - overview.dataUpdatedAt < OLD_MS
  return (
    <header className="top">
      <h1 className="crumb">{title}</h1>
      <span className={fresh ? 'live hide' : 'live off hide'}>
        {at === undefined ? 'Reading' : `${fresh ? 'Live' : 'Last word'}, ${at.toISOString().slice(11, 19)} UTC`}
      </span>
      <Vitals jobs={overview.data?.jobs} fresh={fresh} />
      <span className="ph row" style={{ marginLeft: 'auto' }}>
        <IconButton label="Search" onClick={search}>
          <Search aria-hidden="true" />
        </IconButton>
        <Avatar name={me.person.name} staff />
      </span>
    </header>
  )
}

function Vitals({ jobs, fresh }: { jobs: readonly { error: string | null }[] | undefined; fresh: boolean }) {
  const { data, isError } = useQuery(watch(trustPage, {}))
  const percent = (ratio: bigint | null | undefined) => (ratio === null || ratio === undefined ? '–' : `${formatAmount(ratio, 0)} %`)
  const lowest = (ratios: (bigint | null)[] | undefined) =>
    ratios?.reduce<bigint | null>((least, one) => (one !== null && (least === null || one < least) ? one : least), null)
  const reserves = lowest(data?.reserves.map((row) => row.ratio))
  const pool = lowest(data?.rewardPool.map((row) => row.coverage))
  const failing = jobs?.filter((job) => job.error !== null).length
  const known = !isError && data !== undefined
  return (
    <ul className="vitals" aria-label="Vital signs">
      <Sign
        name="Ledger"
        value={data?.ledger === null || data?.ledger === undefined ? 'not checked' : data.ledger.ok ? '0' : 'differs'}
        good={data?.ledger?.ok === true}
        known={known}
      />
      <Sign name="Reserves" value={percent(reserves)} good={(reserves ?? HUNDRED) >= HUNDRED} known={known} />
      <Sign name="Pool" value={percent(pool)} good={(pool ?? HUNDRED) >= HUNDRED} known={known} />
      <Sign
        name="Jobs"
        value={failing === undefined ? '–' : failing === 0 ? 'all well' : `${failing} failing`}
        good={failing === 0}
        known={fresh}
      />
    </ul>
  )
}

function Sign({ name, value, good, known }: { name: string; value: string; good: boolean; known: boolean }) {
  return (
    <li>
      {known && (good ? <Check className="ok" aria-label="well" /> : <TriangleAlert className="warn" aria-label="look" />)}
      {name} <b className={known ? '' : 'fnt'}>{value}</b>
    </li>
  )
}
