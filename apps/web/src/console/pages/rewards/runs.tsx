import type { ReplyOf } from '@tizara/contract'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import type { Asset } from '@tizara/contract/wallets'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import CircleDot from 'lucide-react/icons/circle-dot'
import { type ReactNode, useState } from 'react'
import { formatAmount } from '../../../ui/money-format.ts'
import { useUnit } from '../../kit/amount.tsx'
import { ExportList } from '../../kit/export-list.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal, briefly, clock } from '../../kit/when.ts'
import { Heads } from '../../kit/heads.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { cx } from '../../../ui/cx.ts'
import { ProgressBar } from '../../../ui/progress.tsx'

type Run = ReplyOf<typeof staffRewardRuns>['data'][number]
const sumOf = (parts: Run['paid'], asset: Asset) => parts.reduce((sum, part) => (part.asset === asset ? sum + part.amount : sum), 0n)

export function CurrentRun({ run }: { run: Run }) {
  const unit = useUnit()
  const { done = 0, total = 0 } = run
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100)
  const left = secondsLeft(run)
  const count = (rewards: number) => rewards.toLocaleString('en-US')
  const writing = run.phase === 'RECORDING'
  return (
    <Panel
      title={run.phase === 'RECORDING' ? `Run ${run.id} records due rewards` : `Run ${run.id} is paying`}
      hint={`due until ${briefly(run.dueUntil)}, started ${clock(run.startedAt)} UTC by ${run.byHand ? plain(run.byHand.name) : 'the worker'}; another worker continues it if this one stops`}
      right={<Badge tone="accent">Running</Badge>}
      className="mt-4"
    >
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 items-center gap-2 justify-between text-xs text-muted">
          <span>
            <b className="font-semi">{done.toLocaleString('en-US')}</b> of {total.toLocaleString('en-US')} payments
          </span>
          <span>
            {percent} %{left !== undefined && `, about ${left} s left`}
          </span>
        </div>
        <ProgressBar label="Payments" value={percent} className="mt-1" />
        <ol className="flex min-w-0 items-center gap-x-[26px] gap-y-1.5 flex-wrap text-xs mt-3" aria-label="Steps of the run">
          <Step at={writing ? 'now' : 'done'}>{writing ? 'Recording due rewards' : `Recorded, ${count(total)} payments`}</Step>
          <Step at={writing ? 'next' : 'now'}>{writing ? 'Paying' : `Paying, ${count(done)}`}</Step>
          <Step at="next">Everything paid or recorded as owed</Step>
        </ol>
        <p className="text-xs text-muted mt-2">
          {formatAmount(sumOf(run.paid, 'coin'))} {unit('coin')} and {formatAmount(sumOf(run.paid, 'usd'))} USD paid so far
          {run.error ? <span className="text-warning"> · {plain(run.error)}</span> : ''}
        </p>
      </div>
    </Panel>
  )
}

/** Estimates the remaining seconds from the progress so far; undefined without progress. */
function secondsLeft({ startedAt, done = 0, total = 0 }: Run): number | undefined {
  if (done === 0 || done >= total) return undefined
  return Math.ceil(((Date.now() - startedAt.getTime()) / 1000 / done) * (total - done))
}

const STEPS = { done: ['text-success', 'done'], now: ['text-accent', 'under way'], next: ['text-faint', 'to come'] } as const

function Step({ at, children }: { at: keyof typeof STEPS; children: ReactNode }) {
  const [style, words] = STEPS[at]
  const Sign = at === 'done' ? Check : at === 'now' ? CircleDot : Circle
  return (
    <li className={cx('flex items-center gap-1.5', style)} aria-current={at === 'now' ? 'step' : undefined}>
      <Sign size={14} aria-hidden="true" />
      {children}
      <span className="sr-only">, {words}</span>
    </li>
  )
}

const STATUS: Readonly<Record<NonNullable<Run['phase']>, readonly [Tone, string]>> = {
  RECORDING: ['accent', 'Recording'],
  PAYING: ['accent', 'Paying'],
  OWED: ['warning', 'Owed'],
  DONE: ['success', 'Done'],
}

/** The runs, newest first. */
export function Runs() {
  const [page, setPage] = useState(1)
  const read = useQuery(watch(staffRewardRuns, { query: { page, limit: 15 } }))
  const rows = read.data?.data ?? []
  const total = read.data?.meta.total ?? 0
  return (
    <Panel
      title="Runs"
      hint={`${total.toLocaleString('en-US')} in all`}
      right={<ExportList list="runs" />}
      className="content-start lg:col-span-7"
    >
      <ListState query={read} rows={rows.length} none="No runs yet" />
      {rows.length > 0 && <RunsTable rows={rows} />}
      {total > 15 && (
        <p className="flex min-w-0 items-center gap-2 p-3">
          <Button size="sm" aria-disabled={page === 1} onClick={() => setPage((now) => Math.max(1, now - 1))}>
            Newer
          </Button>
          <Button size="sm" aria-disabled={page * 15 >= total} onClick={() => page * 15 < total && setPage((now) => now + 1)}>
            Older
          </Button>
        </p>
      )}
    </Panel>
  )
}

/** Lists reward runs with paid and pending amounts. */
export function RunsTable({ rows }: { rows: readonly Run[] }) {
  const unit = useUnit()
  return (
    <Table dense folds>
      <Heads columns={['Run', 'Due until, UTC', ['Payments', 'num'], [unit('coin'), 'num'], ['USD', 'num'], ['Owed', 'num'], 'Status']} />
      <tbody>
        {rows.map((run) => (
          <RunRow key={run.id} run={run} coin={unit('coin')} />
        ))}
      </tbody>
    </Table>
  )
}

function RunRow({ run, coin }: { run: Run; coin: string }) {
  const wasOwed = run.phase === 'DONE' ? (run.wasOwed ?? []) : []
  const owed = [...run.owed, ...wasOwed].map((part) => `${formatAmount(part.amount)} ${part.asset === 'usd' ? 'USD' : ''}`.trim())
  const [tone, text] = STATUS[run.phase ?? 'DONE']
  return (
    <tr>
      <th scope="row">
        <span className="md:hidden">Run </span>
        {run.id}
      </th>
      <td data-label="Due until, UTC" title={utcAndLocal(run.dueUntil)}>
        {briefly(run.dueUntil)}
      </td>
      <td data-label="Payments" className="text-right whitespace-nowrap">
        {run.payments.toLocaleString('en-US')}
      </td>
      <td data-label={coin} className="text-right whitespace-nowrap">
        {formatAmount(sumOf(run.paid, 'coin'))}
      </td>
      <td data-label="USD" className="text-right whitespace-nowrap">
        {formatAmount(sumOf(run.paid, 'usd'))}
      </td>
      <td data-label="Owed" className={cx('text-right whitespace-nowrap', owed.length === 0 && 'max-md:hidden!')}>
        {owed.length === 0 ? '–' : <b className="font-semi text-warning">{owed.join(', ')}</b>}
      </td>
      <td data-label="Status">
        {wasOwed.length > 0 ? (
          <Badge tone="warning" title="The pool could not pay all of it at once">
            Owed, then paid
          </Badge>
        ) : run.byHand && run.phase === 'DONE' ? (
          <Badge plain>By hand, {plain(run.byHand.name)}</Badge>
        ) : (
          <Badge tone={tone}>{text}</Badge>
        )}
      </td>
    </tr>
  )
}
