import type { Page, QueryOf } from '@tizara/contract'
import type { QueueList, staffQueue } from '@tizara/contract/staff-queues'
import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { currentPause } from '../../../ledger/index.ts'
import { depositQueue, depositWork } from '../../deposits/index.ts'
import { membersById } from '../../members/index.ts'
import { membersHeldByScreening } from '../../screening/index.ts'
import { currentSettings } from '../../settings/index.ts'
import {
  isBurst,
  isDecided,
  nearDayLimit,
  paidInDay,
  payoutColumns,
  payoutQueue,
  type QueuedPayout,
  toNewAddress,
  waitsForStaff,
} from '../../withdrawals/index.ts'
import { decidersOf, depositRequest, isHeld, isUnpaidCredit, itemOf, moneyOf, payoutRequest, type QueueItem } from './queue-item.ts'
import { exceedsSoloLimit } from '../duties/approval-limits.ts'
import { FRESH_MS } from './queue-signs.ts'
import { mayRole } from '../access/rights.ts'
import { linkedTo } from '../duties/linked-accounts.ts'
import type { RequestContext, Request } from './request-context.ts'

type Query = QueryOf<typeof staffQueue>

const STATUS: Readonly<Record<string, Request['status']>> = {
  PENDING: 'PENDING',
  APPROVE: 'APPROVED',
  APPROVED: 'APPROVED',
  REJECT: 'REJECTED',
  REJECTED: 'REJECTED',
}

/** Reads one queue, or all payouts [GN-04]. Pending requests come oldest first, decided ones newest first. */
export async function readQueue(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  viewer: Viewer,
  list: QueueList,
  query: Query,
): Promise<Page<QueueItem>> {
  const view = query.for ?? (list === 'payouts' ? 'me' : undefined)
  if (view !== undefined) return readWork(db, deps, viewer, list, { ...query, for: view })
  const search = { pageRange: readPageRange(query), status: query.status === undefined ? undefined : STATUS[query.status.toUpperCase()] }
  if (list === 'deposits') {
    const { data, meta } = await depositQueue(db, search)
    return { data: await describe(db, deps, viewer, data.map(depositRequest)), meta }
  }
  const { data, meta } = await payoutQueue(db, list === 'bridges' ? 'bridge' : 'withdrawal', search)
  return { data: await describe(db, deps, viewer, data.map(payoutRequest)), meta }
}

/**
 * Reads a page of requests for the viewer, for other approvers, or decided. Keyset pagination keeps each page's cost constant.
 */
async function readWork(db: Db, deps: Pick<Deps, 'clock'>, viewer: Viewer, list: QueueList, query: Query): Promise<Page<QueueItem>> {
  const limit = Math.min(query.limit ?? 100, 200)
  const rows =
    list === 'deposits' ? await depositRows(db, deps, viewer, query, limit + 1) : await payoutRows(db, deps, viewer, list, query, limit + 1)
  const data = await describe(db, deps, viewer, rows.slice(0, limit))
  // A total above the page size signals another page.
  return { data, meta: { total: rows.length, page: 1, limit } }
}

/** Returns the approver's id for the queries, or undefined if the role cannot approve. */
export const deciderOf = (viewer: Pick<Viewer, 'memberId' | 'role'>) =>
  mayRole(viewer.role, 'approveRequest') ? viewer.memberId : undefined

async function depositRows(db: Db, deps: Pick<Deps, 'clock'>, viewer: Viewer, query: Query, limit: number): Promise<Request[]> {
  const { fourEyesAboveUsd } = await currentSettings(db, deps.clock.now())
  const aboveUsd = query.aboveLimit === undefined ? undefined : fourEyesAboveUsd
  const found = await depositWork(db, { view: query.for ?? 'me', staffId: deciderOf(viewer), aboveUsd, before: query.before, limit })
  return found.map(depositRequest)
}

async function payoutRows(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  viewer: Viewer,
  list: QueueList,
  query: Query,
  limit: number,
): Promise<Request[]> {
  const now = deps.clock.now()
  const staffId = deciderOf(viewer) ?? null
  const settings = await currentSettings(db, now)
  const { fourEyesAboveUsd, fourEyesAboveCoin } = settings
  const fresh = new Date(now.getTime() - FRESH_MS)
  const mine = sql`(${staffId}::bigint is not null and p.member_id <> ${staffId} and p.first_approved_by is distinct from ${staffId})`
  const decided = query.for === 'decided'
  const filters = [
    decided ? isDecided : waitsForStaff,
    ...(decided ? [] : [query.for === 'me' ? mine : sql`not ${mine}`]),
    ...(list === 'payouts' ? [] : [sql`p.kind = ${list === 'bridges' ? 'bridge' : 'withdrawal'}`]),
    ...(query.before === undefined
      ? []
      : [sql`p.id ${decided ? sql`<` : sql`>`} (select id from payout_request where public_id = ${query.before})`]),
    ...(query.aboveLimit === undefined
      ? []
      : [sql`p.amount > case p.kind when 'bridge' then ${fourEyesAboveCoin}::bigint else ${fourEyesAboveUsd}::bigint end`]),
    ...(query.rule === undefined ? [] : [sql`p.rule_name = ${query.rule}`]),
    ...(query.flagged === undefined
      ? []
      : [
          sql`(not m.is_active or m.payouts_stopped_at is not null or m.payouts_frozen_until > ${now} or m.password_reset_at > ${fresh}
            or m.created_at > ${fresh} or ${toNewAddress} or ${isBurst} or ${nearDayLimit(settings, now)}
            or exists (select from linked_account t where t.member_id = p.member_id and t.verdict is distinct from 'harmless'))`,
        ]),
  ]
  const { rows } = await sql<QueuedPayout>`select ${payoutColumns} from payout_request p join member m on m.id = p.member_id
    where ${sql.join(filters, sql` and `)} order by p.id ${decided ? sql`desc` : sql`asc`} limit ${limit}`.execute(db)
  return rows.map(payoutRequest)
}

/** Loads the context for a page of requests in a few queries. */
export async function loadContext(db: Db, now: Date, rows: readonly Request[], viewer?: Viewer): Promise<RequestContext> {
  const owners = [...new Set(rows.map((row) => row.memberId))]
  const [settings, pastLimit, people, traces, paid, stop, screened] = await Promise.all([
    currentSettings(db, now),
    exceedsSoloLimit(db, now, viewer === undefined ? null : (deciderOf(viewer) ?? null), owners),
    membersById(
      db,
      rows.flatMap((row) => [row.memberId, ...decidersOf(row)]),
    ),
    sql<{ id: bigint; open: boolean; clearedBy: string | null }>`
      select t.member_id as id, bool_or(t.verdict is distinct from 'harmless') as open,
        string_agg(distinct m.email, ', ') filter (where t.verdict = 'harmless') as "clearedBy"
      from linked_account t left join member m on m.id = t.reviewed_by where t.member_id = any(${owners}::bigint[]) group by 1`.execute(db),
    paidInDay(db, now, owners),
    currentPause(db),
    membersHeldByScreening(db, owners),
  ])
  const { fourEyesAboveUsd: usd, fourEyesAboveCoin: coin, payoutDayUsd, payoutDayCoin, payoutTargetHours, depositTargetHours } = settings
  const likeReader = viewer === undefined ? new Set<bigint>() : await linkedTo(db, viewer.memberId, [...people.keys()])
  const requiresSecondApproval = (row: Request) =>
    row.firstApprovedBy !== null || isUnpaidCredit(row) || isHeld(row) || pastLimit(moneyOf(row))
  return {
    people,
    screened,
    traced: new Set(traces.rows.filter((row) => row.open).map((row) => row.id)),
    cleared: new Map(traces.rows.flatMap(({ id, clearedBy }) => (clearedBy === null ? [] : [[id, clearedBy]]))),
    limits: { usd, coin },
    day: { payoutDayUsd, payoutDayCoin, paid },
    targetHours: { payouts: payoutTargetHours, deposits: depositTargetHours },
    requiresSecondApproval,
    likeReader,
    isStopped: stop !== undefined,
    now,
    viewer,
  }
}

async function describe(db: Db, deps: Pick<Deps, 'clock'>, viewer: Viewer, rows: readonly Request[]): Promise<QueueItem[]> {
  const context = await loadContext(db, deps.clock.now(), rows, viewer)
  return rows.map((row) => itemOf(row, context))
}
