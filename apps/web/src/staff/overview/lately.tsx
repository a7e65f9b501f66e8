import { staffAudit } from '@tizara/contract/staff'
import { staffRewardRuns } from '@tizara/contract/staff-rewards'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Money } from '../../ui/money.tsx'
import { useUnit } from '../lib/amount.tsx'
import { Avatar } from '../lib/avatar.tsx'
import { ListState } from '../lib/list-parts.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { watch } from '../lib/watch.ts'
import { bothClocks, brief } from '../lib/when.ts'

const STATES: Readonly<Record<string, readonly [string, string]>> = {
  FACTS: ['badge acc', 'Running'],
  OWED: ['badge warn', 'Owed'],
  DONE: ['badge ok', 'Done'],
}

/** The last reward runs. */
export function Runs() {
  const query = useQuery(watch(staffRewardRuns, { query: { limit: 5, page: 1 } }))
  const unit = useUnit()
  const rows = query.data?.data ?? []
  const paid = (row: (typeof rows)[number], asset: 'coin' | 'usd') => row.paid.find((part) => part.asset === asset)?.amount ?? 0n
  return (
    <Panel
      title="Reward runs"
      className="wide"
      right={
        <Link href="/staff/rewards" className="link">
          All runs
        </Link>
      }
    >
      <ListState query={query} rows={rows.length} none="No run yet" />
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls sideways has to be reached by keys
        <div className="tablebox" role="region" aria-label="Runs" tabIndex={0}>
          <table className="d">
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">Due until, UTC</th>
                <th scope="col" className="num">
                  Payments
                </th>
                <th scope="col" className="num hide">
                  {unit('coin')}
                </th>
                <th scope="col" className="num hide">
                  USD
                </th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.id}</th>
                  <td title={bothClocks(row.dueUntil)}>{brief(row.dueUntil)}</td>
                  <td className="num">{row.payments.toLocaleString('en-US')}</td>
                  <td className="num hide">
                    <Money value={paid(row, 'coin')} />
                  </td>
                  <td className="num hide">
                    <Money value={paid(row, 'usd')} />
                  </td>
                  <td>
                    <span className={STATES[row.status]?.[0] ?? 'badge'}>{STATES[row.status]?.[1] ?? row.status}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

/** What staff did last. */
export function DecidedToday() {
  const query = useQuery(watch(staffAudit, { query: { q: 'staff.', limit: 6, page: 1 } }))
  const rows = query.data?.data ?? []
  return (
    <Panel
      title="Decided lately"
      right={
        <Link href="/staff/audit" className="link">
          Audit log
        </Link>
      }
    >
      <ListState query={query} rows={rows.length} none="Nobody of the staff did anything yet" />
      <ul className="in">
        {rows.map((row) => (
          <li key={row.id} className="row" style={{ padding: '5px 0' }}>
            <Avatar name={plain(row.actor)} size="s" staff />
            <span className="grow tr" title={row.reason ?? undefined}>
              <b>{plain(row.actor)}</b> {plain(row.action.replace(/^staff\./, '').replaceAll(/[.-]/g, ' '))}, {plain(row.subject)}
            </span>
            <time className="fnt sm" dateTime={row.createdAt.toISOString()} title={bothClocks(row.createdAt)}>
              {brief(row.createdAt)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
