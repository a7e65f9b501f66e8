import Check from 'lucide-react/icons/check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useQuery } from '@tanstack/react-query'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Money } from '../../../ui/money.tsx'
import { isOld, StaleNote } from '../../kit/panel.tsx'
import { coverageRatio, coverageText, failingOf, reservesOf } from '../../kit/platform-status.ts'
import { watch } from '../../kit/watch.ts'
import { brief } from '../../kit/when.ts'
import type { Overview } from './money-charts.tsx'
import { panelClass } from '../../../ui/panel.tsx'

const SUM_EVERY_SECONDS = 300

/** Shows the five key health figures, each with its age and a link. */
export function Signs({ data, failed }: { data: Overview; failed: boolean }) {
  const runs = useQuery(watch(staffRewardRuns, { query: { limit: 5, page: 1 } }))
  const run = runs.data?.data.find((one) => one.finishedAt !== null)
  const usd = data.balanceSheet.at(-1)
  const pool = data.rewardPool.find((row) => row.asset === 'coin')
  const failing = failingOf(data)
  const [worst] = failing.toSorted((one, other) => (other.failures ?? 0) - (one.failures ?? 0))
  const reserves = reservesOf(data)
  const coverage = coverageRatio(data)
  const margin = (usd?.reserves ?? 0n) - (usd?.liabilities ?? 0n)
  return (
    <div className={panelClass('grid grid-cols-5 max-md:grid-cols-[1fr_1fr]')} aria-label="Platform status">
      <Sign href="/staff?days=90" title="Reserves, USD" good={margin >= 0n} at={data.at} {...coverageText(reserves, 1)}>
        <Money value={margin < 0n ? -margin : margin} /> {margin < 0n ? 'below' : 'above'} what is owed
      </Sign>
      <Sign
        href="/staff/rewards"
        title="Reward pool coverage"
        good={coverage === null || coverage >= 100_00000000n}
        at={data.at}
        {...coverageText(coverage, 1)}
      >
        {pool?.poolDepletionDate ? `pool alone lasts until ${brief(new Date(pool.poolDepletionDate))}` : 'the pool alone pays all of it'}
      </Sign>
      <Sign
        href="/staff/ledger"
        title="Ledger balance"
        good={data.ledger?.ok === true}
        at={data.ledger?.at}
        every={SUM_EVERY_SECONDS}
        value={data.ledger ? String(data.ledger.differences) : '–'}
        unit="differences"
      >
        {data.ledger ? `${data.ledger.transfers.toLocaleString('en-US')} transfers, ${brief(data.ledger.at)}` : 'not checked yet'}
      </Sign>
      <Sign
        href="/staff/rewards"
        title="Last reward run"
        good={runs.data?.data[0]?.error === null || run !== undefined}
        value={run === undefined ? '–' : run.payments.toLocaleString('en-US')}
        unit="payments"
      >
        {run?.finishedAt
          ? `done ${brief(run.finishedAt)}, ${run.owed.length === 0 ? 'nothing owed' : 'some of it owed'}`
          : 'no finished run yet'}
      </Sign>
      <Sign
        href="/staff?days=90"
        title="Jobs"
        good={failing.length === 0}
        at={data.at}
        value={String(failing.length)}
        unit={`of ${data.jobs?.length ?? 0} failing`}
      >
        {worst === undefined
          ? 'all succeeded'
          : `${worst.name}, ${worst.failures ?? 1} failures${worst.failingSince ? ` since ${brief(worst.failingSince)}` : ''}`}
      </Sign>
      {failed && <span className="sr-only">The figures cannot be loaded now</span>}
    </div>
  )
}

interface SignProps {
  href: string
  title: string
  good: boolean
  at?: Date | undefined
  every?: number
  value: string
  unit?: string | undefined
  children: ReactNode
}

function Sign({ href, title, good, at, every = 15, value, unit, children }: SignProps) {
  const old = at !== undefined && isOld(at, every)
  return (
    <Link
      href={href}
      className="block border-l px-4 pt-3.5 pb-[13px] first:border-l-0 hover:bg-raised max-md:border-t max-md:border-l-0 max-md:px-3.5 max-md:py-[11px] max-md:first:col-span-full max-md:first:border-t-0 max-md:odd:not-first:border-l [&_.text-xl]:mt-[3px] [&_.text-xl]:mb-px"
    >
      <span className="flex items-center gap-1.5 text-[12px] text-muted">
        {!old &&
          (good ? (
            <Check size={14} className="text-success" aria-label="OK" />
          ) : (
            <TriangleAlert size={14} className="text-warning" aria-label="Needs attention" />
          ))}
        {title}
      </span>
      <div
        className={
          old ? 'text-xl font-strong tracking-num whitespace-nowrap text-faint' : 'text-xl font-strong tracking-num whitespace-nowrap'
        }
      >
        {value}
        {unit !== undefined && <span className="ml-[3px] text-2xs font-medium tracking-normal text-faint">{unit}</span>}
      </div>
      <div className="text-xs text-faint">{children}</div>
      {old && <StaleNote at={at} />}
    </Link>
  )
}
