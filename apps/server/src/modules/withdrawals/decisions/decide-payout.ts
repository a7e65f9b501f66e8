import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { release, settle, type SettleInput } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { onCoinSentOut } from '../../rewards/index.ts'
import { assertScreened } from '../../screening/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { assertPayable } from '../guard/day-limit.ts'
import { firstApproval, hasNoForgedFirstApproval, hasValidOwnerMac, NO_FIRST_APPROVAL } from '../payout-mac.ts'
import { queueSending } from '../sending/queue-sending.ts'
import { notifyOwner } from '../notify-member.ts'

export interface PayoutDecision {
  /** The request's public id. */
  payoutId: string
  /** The request's queue; either if omitted. */
  kind?: 'withdrawal' | 'bridge' | undefined
  /** Staff member who decides. Taken from the session, never from the request body. */
  staffId: bigint
  reason: string
}

export interface PayoutApproval extends Omit<PayoutDecision, 'staffId'> {
  /** Staff member who decides; null if a payout rule decides, which two staff members approved before. */
  staffId: bigint | null
  /** The payout rule that decides without a person. */
  rule?: { name: string; version: number } | undefined
  /** Transaction on the chain, for a payout made by hand. */
  txHash?: string | undefined
  /** Net amount shown to staff, in units of the asset. A different amount is rejected. */
  amount?: Units | undefined
  /** Returns true if the approval requires a second person. */
  needsTwo(request: { memberId: bigint; asset: 'USD' | 'COIN'; amount: Units; firstId: bigint | null }): Promise<boolean>
  /** Called with the ledger transfer that pays the request. */
  onPosted?(transferId: bigint): void
}

const NO_CEILING = { ceiling_of: null, ceiling_left: null, ceiling_free_at: null }

async function lockPending(tx: Tx, { payoutId, kind }: Pick<PayoutDecision, 'payoutId' | 'kind'>) {
  const request = await tx.selectFrom('payout_request').selectAll().where('public_id', '=', payoutId).forUpdate().executeTakeFirst()
  if (request === undefined || request.kind === 'transfer' || (kind !== undefined && kind !== request.kind)) throw new AppError('NOT_FOUND')
  if (request.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  return request
}

/**
 * Approves a payout: the hold is settled into payout and fees. If two approvals are required, the first is only recorded (ASVS 2.3.5).
 * Staff cannot approve their own requests or payouts to their own addresses. The server rejects unconfirmed or altered requests, frozen
 * payouts, and amounts above the 24-hour limits.
 * @returns `approved` if it was paid, or `waits-for-second` if a second approval is required
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, PAYOUT_UNCONFIRMED, PAYOUT_CHANGED, FOUR_EYES, INVALID_AMOUNT, PAYOUT_HELD, PAYOUTS_STOPPED,
 * SCREENING_OPEN, PAYOUT_DAY_LIMIT
 */
export async function approvePayout(tx: Tx, deps: Deps, decision: PayoutApproval): Promise<'approved' | 'waits-for-second'> {
  const request = await lockPending(tx, decision)
  if (request.confirmed_how === null) throw new AppError('PAYOUT_UNCONFIRMED')
  if (!hasValidOwnerMac(deps.config, request) || !hasNoForgedFirstApproval(deps.config, request)) throw new AppError('PAYOUT_CHANGED')
  await assertMayDecide(tx, decision, request)
  if (decision.amount !== undefined && decision.amount !== request.received) throw new AppError('INVALID_AMOUNT')
  const at = deps.clock.now()
  const usd = request.kind === 'withdrawal'
  const asset = usd ? 'USD' : 'COIN'
  const { first_approved_by: firstId } = request
  const exceedsLimit = await decision.needsTwo({ memberId: request.member_id, asset, amount: request.amount, firstId })
  const two = exceedsLimit || request.rule_outcome === 'HELD'
  if (two && firstId === null) {
    // A rule replaces the approval of one person only.
    if (decision.staffId === null) throw new AppError('FOUR_EYES')
    await tx
      .updateTable('payout_request')
      .set(firstApproval(deps.config, request, decision.staffId, at))
      .where('id', '=', request.id)
      .execute()
    return 'waits-for-second'
  }
  if (two && firstId === decision.staffId) throw new AppError('FOUR_EYES')
  await assertNotHeld(tx, request.member_id, at)
  await assertScreened(tx, request.member_id)
  const kind = usd ? 'withdrawal' : 'bridge'
  await assertPayable(tx, await currentSettings(tx, at), at, { kind, memberId: request.member_id, amount: request.amount })
  const legs: SettleInput['legs'] = [
    { to: { system: usd ? 'SYS-WITHDRAW' : 'SYS-BRIDGE', asset }, amount: request.received },
    { to: { system: 'SYS-FEE', asset }, amount: request.platform_fee, kind: 'platformFee' },
    { to: { system: 'SYS-FEE', asset }, amount: request.network_fee, kind: 'networkFee' },
  ]
  const posted = await settle(tx, {
    holdId: request.hold_id,
    kind: 'payout',
    cause: { type: 'payout_request', id: request.public_id },
    at,
    legs: legs.filter((leg) => leg.amount > 0n),
  })
  if (posted.transfers[0] !== undefined) decision.onPosted?.(posted.transfers[0].id)
  if (decision.txHash === undefined) await queueSending(tx, deps, request)
  if (!usd) await onCoinSentOut(tx, { memberId: request.member_id, payoutId: request.id, coin: request.amount, at })
  await tx
    .updateTable('payout_request')
    .set({
      status: 'APPROVED',
      // A payout that needed two people may need only one now. The person who approved it first then decides alone.
      ...(firstId === decision.staffId ? NO_FIRST_APPROVAL : {}),
      decided_by: decision.staffId,
      decided_at: at,
      reason: decision.reason,
      tx_hash: decision.txHash ?? null,
      ...(decision.rule === undefined
        ? {}
        : { rule_version: decision.rule.version, rule_name: decision.rule.name, rule_outcome: 'APPROVED', ...NO_CEILING }),
    })
    .where('id', '=', request.id)
    .execute()
  await notifyOwner(tx, deps, decision.txHash === undefined ? 'approved' : 'paid', request)
  return 'approved'
}

/**
 * Rejects an approval by the owner of the request or of its address. Also rejects an approval by a rule after a person's first approval.
 */
async function assertMayDecide(
  tx: Tx,
  { staffId, rule }: PayoutApproval,
  request: { member_id: bigint; address: string; first_approved_by: bigint | null },
): Promise<void> {
  const isConflict =
    staffId === null
      ? rule === undefined || request.first_approved_by !== null
      : request.member_id === staffId || (await usesAddress(tx, staffId, request.address))
  if (isConflict) throw new AppError('FOUR_EYES')
}

/**
 * Rejects while the member's payouts are frozen or stopped. A reset of the password freezes them, because an attacker usually starts
 * with it.
 */
async function assertNotHeld(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const owner = await memberById(tx, memberId)
  if (owner === undefined) return
  if (owner.payouts_stopped_at !== null) throw new AppError('PAYOUTS_STOPPED')
  const until = owner.payouts_frozen_until
  if (until !== null && until > now) throw new AppError('PAYOUT_HELD', { at: until.toISOString() })
}

/** Returns true if the address is one of this staff member: approving is a conflict of interest. */
async function usesAddress(tx: Tx, staffId: bigint, address: string): Promise<boolean> {
  const found = await sql`select from address_users(${address}) u (id) where u.id = ${staffId} limit 1`.execute(tx)
  return found.rows.length > 0
}

/**
 * Sums the payouts since a given time that one person or rule approved alone: all by this approver, and all to these members. Amounts are
 * in units and include fees. Groups them by approver (null for rules), member and asset.
 */
export async function soloPayouts(
  db: Db,
  { staffId, memberIds, since }: { staffId: bigint | null; memberIds: readonly bigint[]; since: Date },
): Promise<{ staffId: bigint | null; memberId: bigint; asset: 'USD' | 'COIN'; amount: Units }[]> {
  const { rows } = await sql<{ staffId: bigint | null; memberId: bigint; asset: 'USD' | 'COIN'; amount: Units }>`
    select decided_by as "staffId", member_id as "memberId", case kind when 'bridge' then 'COIN' else 'USD' end as asset,
      sum(amount)::bigint as amount
    from payout_request where status = 'APPROVED' and kind <> 'transfer' and first_approved_by is null and decided_at > ${since}
      and (decided_by = ${staffId} or member_id = any(${memberIds}::bigint[])) group by 1, 2, 3`.execute(db)
  return rows
}

/**
 * Rejects a payout and returns the whole amount to its wallet.
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, FOUR_EYES for the staff member's own request
 */
export async function rejectPayout(tx: Tx, deps: Deps, decision: PayoutDecision): Promise<void> {
  const request = await lockPending(tx, decision)
  if (request.member_id === decision.staffId) throw new AppError('FOUR_EYES')
  const at = deps.clock.now()
  await release(tx, {
    holdId: request.hold_id,
    kind: request.kind === 'bridge' ? 'bridgeRejected' : 'withdrawalRejected',
    cause: { type: 'payout_request', id: request.public_id },
    at,
  })
  await tx
    .updateTable('payout_request')
    .set({ ...NO_FIRST_APPROVAL, status: 'REJECTED', decided_by: decision.staffId, decided_at: at, reason: decision.reason })
    .where('id', '=', request.id)
    .execute()
  await notifyOwner(tx, deps, 'returned', request)
}

/** Revokes the first approvals of a former staff member and returns the affected payouts. */
export function revokeFirstPayoutApprovals(tx: Tx, staffId: bigint): Promise<{ id: string; kind: string }[]> {
  const approvals = tx
    .updateTable('payout_request')
    .set(NO_FIRST_APPROVAL)
    .where('first_approved_by', '=', staffId)
    .where('status', '=', 'PENDING')
  return approvals.returning(['public_id as id', 'kind']).execute()
}
