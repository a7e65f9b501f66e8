import { staffAudit } from '@tizara/contract/staff'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Avatar } from '../../kit/avatar.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { RunsTable } from '../rewards/runs.tsx'

export function Runs() {
  const query = useQuery(watch(staffRewardRuns, { query: { limit: 5, page: 1 } }))
  const rows = query.data?.data ?? []
  return (
    <Panel
      title="Reward runs"
      right={
        <Link href="/staff/rewards" className="link">
          All runs
        </Link>
      }
    >
      <ListState query={query} rows={rows.length} none="No run yet" />
      {rows.length > 0 && <RunsTable rows={rows} />}
    </Panel>
  )
}

/** Lists the latest staff actions. */
export function DecidedToday() {
  const query = useQuery(watch(staffAudit, { query: { q: 'staff.', limit: 6, page: 1 } }))
  const rows = query.data?.data ?? []
  return (
    <Panel
      title="Recent decisions"
      right={
        <Link href="/staff/audit" className="link">
          Audit log
        </Link>
      }
    >
      <ListState query={query} rows={rows.length} none="No staff decisions yet" />
      <ul className="px-4 pt-3 pb-4">
        {rows.map((row) => (
          <li key={row.id} className="flex min-w-0 items-center gap-2 py-[5px]">
            <Avatar name={plain(row.actor)} size="s" staff />
            <span className="min-w-0 flex-1 truncate" title={row.reason ?? undefined}>
              <b>{plain(row.actor)}</b> {plain(row.action.replace(/^staff\./, '').replaceAll(/[.-]/g, ' '))}, {plain(row.subject)}
            </span>
            <time className="text-faint text-xs" dateTime={row.createdAt.toISOString()} title={utcAndLocal(row.createdAt)}>
              {brief(row.createdAt)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
