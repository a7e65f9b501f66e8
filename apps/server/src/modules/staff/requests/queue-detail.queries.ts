import type { ReplyOf } from '@tizara/contract'
import type { QueueKind, staffQueueItem } from '@tizara/contract/staff-queues'
import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { balancesOf } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { timeZoneOf } from '../../auth/index.ts'
import { spentOnCoin } from '../../coin/index.ts'
import { paymentsOf, queuedDeposit } from '../../deposits/index.ts'
import { latestActions, latestReason } from '../../audit/index.ts'
import { listCounters } from '../../histories/index.ts'
import { type Member, membersById } from '../../members/index.ts'
import { earnedOf } from '../../rewards/index.ts'
import { branchTotals } from '../../team/index.ts'
import { provenBy, queuedPayout, sendingOf } from '../../withdrawals/index.ts'
import { maskedAddressSql } from '../access/masked-address.ts'
import { requiresSecondApproval } from '../duties/approval-limits.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { describeMemberAction } from '../audit-log/describe-member-action.ts'
import { depositRequest, isHeld, isUnpaidCredit, itemOf, moneyOf, payoutRequest } from './queue-item.ts'
import { personOf } from '../access/person.ts'
import { readReturns } from './return-payment.ts'
import { checksOf } from './queue-signs.ts'
import { loadContext } from './queues.queries.ts'
import type { Request } from './request-context.ts'

type Detail = ReplyOf<typeof staffQueueItem>
type ViewerRole = Pick<Viewer, 'memberId' | 'role'>

/**
 * Finds one request in a queue.
 * @throws AppError NOT_FOUND
 */
export async function findRequest(db: Db, kind: QueueKind, id: string, lock = false): Promise<Request> {
  const deposit = kind === 'deposits' ? await queuedDeposit(db, id, lock) : undefined
  const payout = kind === 'deposits' ? undefined : await queuedPayout(db, id, lock)
  const found = deposit === undefined ? payout && payoutRequest(payout) : depositRequest(deposit)
  if (found?.queue !== kind) throw new AppError('NOT_FOUND')
  return found
}

/**
 * Reads a request with all data needed for a decision.
 * @throws AppError NOT_FOUND
 */
export async function readRequest(db: Db, deps: Deps, viewer: Viewer, kind: QueueKind, id: string): Promise<Detail> {
  const row = await findRequest(db, kind, id)
  const context = await loadContext(db, deps.clock.now(), [row], viewer)
  const item = itemOf(row, context)
  const member = context.people.get(row.memberId)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const [about, payments, returns, sending, firstReason, effect] = await Promise.all([
    memberPane(db, member),
    kind === 'deposits' ? paymentsOf(db, id) : undefined,
    kind === 'deposits' ? readReturns(db, deps, id) : undefined,
    kind === 'deposits' ? undefined : sendingOf(db, deps, id),
    reasonOfFirst(db, row),
    item.canDecide === true ? effectOf(db, deps, viewer, row) : undefined,
  ])
  return {
    ...item,
    approvals: item.approvals?.map((one, index) => (index === 0 && row.firstApprovedBy !== null ? { ...one, ...firstReason } : one)),
    ...(effect === undefined ? {} : { effect }),
    checks: checksOf(row, item.signs ?? [], {
      above: item.approvalsNeeded === 2,
      clearedBy: context.cleared.get(row.memberId),
      provenBy: row.queue === 'deposits' ? undefined : provenBy(deps.config, row, row.entry),
    }),
    about,
    ...(sending === undefined ? {} : { sending }),
    ...(payments === undefined ? {} : { payments }),
    ...returns,
  }
}

/** Predicts the effect of an approval by this viewer. The approval checks again under its locks. */
async function effectOf(db: Db, deps: Deps, viewer: ViewerRole, row: Request): Promise<'pays' | 'first-approval' | undefined> {
  if (viewer.role === 'MEMBER') return undefined
  const actor = { memberId: viewer.memberId, role: viewer.role }
  const two = await inTransaction(db, (tx) => requiresSecondApproval(tx, deps, actor, moneyOf(row))).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (two === undefined) return undefined
  return (two || isUnpaidCredit(row) || isHeld(row)) && row.firstApprovedBy === null ? 'first-approval' : 'pays'
}

async function reasonOfFirst(db: Db, row: Request): Promise<{ reason?: string }> {
  if (row.firstApprovedBy === null) return {}
  const reason = await latestReason(db, {
    subject: { type: row.queue, id: row.id },
    action: 'staff.request.first-approval',
    actorId: row.firstApprovedBy,
  })
  return reason === undefined ? {} : { reason }
}

/** Summarizes the member beside a request: age, balances, team, earlier payments and requests. */
export async function memberPane(db: Db, member: Member): Promise<Detail['about']> {
  const [people, balances, team, deposits, withdrawals, bridges, bought, boughtUsd, earned, earlier, recentActions, timeZone] =
    await Promise.all([
      membersById(db, member.sponsor_id === null ? [] : [member.sponsor_id]),
      balancesOf(db, member.id),
      branchTotals(db, [member.id]),
      listCounters(db, member.id, 'deposit'),
      listCounters(db, member.id, 'withdrawal'),
      listCounters(db, member.id, 'bridge'),
      listCounters(db, member.id, 'buy-token'),
      spentOnCoin(db, member.id),
      earnedOf(db, member.id),
      earlierPayouts(db, member.id),
      recentActionsOf(db, member.id),
      timeZoneOf(db, member.id),
    ])
  return {
    since: member.created_at,
    status: member.is_active,
    rank: member.rank,
    sponsor: member.sponsor_id === null ? null : personOf(people.get(member.sponsor_id)),
    teamSize: team.get(member.id)?.people ?? 0,
    balances,
    deposited: deposits.buckets['APPROVE']?.sum ?? 0n,
    paidOut: withdrawals.buckets['APPROVED']?.sum ?? 0n,
    bought: bought.buckets['']?.sum ?? 0n,
    earned,
    held: { usd: withdrawals.buckets['PENDING']?.sum ?? 0n, coin: bridges.buckets['PENDING']?.sum ?? 0n },
    earlierPayouts: earlier,
    recentActions,
    ...omitUndefined({ timeZone, boughtUsd }),
  }
}

async function earlierPayouts(db: Db, memberId: bigint): Promise<Detail['about']['earlierPayouts']> {
  const { rows } = await sql<Detail['about']['earlierPayouts'][number]>`
    select public_id as id, created_at as at, case kind when 'bridge' then 'coin' else 'usd' end as asset, amount,
      ${maskedAddressSql(sql`address`)} as address, status
    from ((select * from payout_request where member_id = ${memberId} and kind = 'withdrawal' order by id desc limit 5)
      union all (select * from payout_request where member_id = ${memberId} and kind = 'bridge' order by id desc limit 5)) p
    order by p.id desc limit 5`.execute(db)
  return rows
}

async function recentActionsOf(db: Db, memberId: bigint): Promise<Detail['about']['recentActions']> {
  const rows = await latestActions(db, memberId, 5)
  return rows.map((action) => ({ at: action.at, text: describeMemberAction(action) }))
}
