import type { ReplyOf } from '@tizara/contract'
import { staffRewardRuns } from '@tizara/contract/staff-rewards'
import type { Asset } from '@tizara/contract/wallets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../ui/money-format.ts'
import { useUnit } from '../lib/amount.tsx'
import { ListState } from '../lib/list-parts.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { watch } from '../lib/watch.ts'
import { bothClocks, brief } from '../lib/when.ts'

type Run = ReplyOf<typeof staffRewardRuns>['data'][number]
const clock = (at: Date) => at.toISOString().slice(11, 16)
const sumOf = (parts: Run['paid'], asset: Asset) => parts.reduce((sum, part) => (part.asset === asset ? sum + part.amount : sum), 0n)

/** The run that is at work, with what it has done. */
export function RunAtWork({ run }: { run: Run }) {
  const unit = useUnit()
  const { done = 0, total = 0 } = run
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100)
  return (
    <Panel
      title={run.phase === 'FACTS' ? `Run ${run.id} writes down what is due` : `Run ${run.id} is paying`}
      hint={`due until ${brief(run.dueUntil)} ${clock(run.dueUntil)}, started ${clock(run.startedAt)} UTC by ${run.byHand ? plain(run.byHand.name) : 'the worker'}; it goes on by itself if the worker stops`}
      right={<span className="badge acc">Running</span>}
      className="mt16"
    >
      <div className="in">
        <div className="row sb sm mut">
          <span>
            <b className="b">{done.toLocaleString('en-US')}</b> of {total.toLocaleString('en-US')} payments
          </span>
          <span>{percent} %</span>
        </div>
        <div className="meter" role="progressbar" aria-label="Payments" aria-valuenow={percent} style={{ height: 8 }}>
          <i style={{ width: `${percent}%` }} />
        </div>
        <p className="sm mut mt8">
          {formatAmount(sumOf(run.paid, 'coin'))} {unit('coin')} and {formatAmount(sumOf(run.paid, 'usd'))} USD paid so far
          {run.error ? <span className="warn"> · {plain(run.error)}</span> : ''}
        </p>
      </div>
    </Panel>
  )
}

const STATUS: Readonly<Record<NonNullable<Run['phase']>, readonly [string, string]>> = {
  FACTS: ['badge acc', 'Writing down'],
  PAYING: ['badge acc', 'Paying'],
  OWED: ['badge warn', 'Owed'],
  DONE: ['badge ok', 'Done'],
}

/** The runs, newest first. */
export function Runs() {
  const unit = useUnit()
  const [page, setPage] = useState(1)
  const read = useQuery(watch(staffRewardRuns, { query: { page, limit: 15 } }))
  const rows = read.data?.data ?? []
  const total = read.data?.meta.total ?? 0
  return (
    <Panel title="Runs" right={`${total.toLocaleString('en-US')} in all`} className="c7">
      <ListState query={read} rows={rows.length} none="Nothing was due yet" />
      {rows.length > 0 && (
        <table className="d">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Due until, UTC</th>
              <th scope="col" className="num">
                Payments
              </th>
              <th scope="col" className="num">
                {unit('coin')}
              </th>
              <th scope="col" className="num">
                USD
              </th>
              <th scope="col" className="num hide">
                Owed
              </th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </tbody>
        </table>
      )}
      {total > 15 && (
        <p className="row" style={{ padding: 12 }}>
          <button type="button" className="btn sm" aria-disabled={page === 1} onClick={() => setPage((now) => Math.max(1, now - 1))}>
            Newer
          </button>
          <button
            type="button"
            className="btn sm"
            aria-disabled={page * 15 >= total}
            onClick={() => page * 15 < total && setPage((now) => now + 1)}
          >
            Older
          </button>
        </p>
      )}
    </Panel>
  )
}

function RunRow({ run }: { run: Run }) {
  const owed = run.owed.map((part) => `${formatAmount(part.amount)} ${part.asset === 'usd' ? 'USD' : ''}`.trim())
  const [look, text] = STATUS[run.phase ?? 'DONE']
  return (
    <tr>
      <td>{run.id}</td>
      <td title={bothClocks(run.dueUntil)}>
        {brief(run.dueUntil)} {clock(run.dueUntil)}
      </td>
      <td className="num">{run.payments.toLocaleString('en-US')}</td>
      <td className="num">{formatAmount(sumOf(run.paid, 'coin'))}</td>
      <td className="num">{formatAmount(sumOf(run.paid, 'usd'))}</td>
      <td className="num hide">{owed.length === 0 ? '–' : <b className="b warn">{owed.join(', ')}</b>}</td>
      <td>
        {run.byHand && run.phase === 'DONE' ? (
          <span className="badge p">By hand, {plain(run.byHand.name)}</span>
        ) : (
          <span className={look}>{text}</span>
        )}
      </td>
    </tr>
  )
}
