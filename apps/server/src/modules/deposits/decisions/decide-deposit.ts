import { formatUnits, type Units } from '@tizara/money'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DepositDecisionTable, DepositTable } from '../../../platform/db/tables.generated.ts'
import { creditPart } from '../credit-part.ts'
import { creditHeld, decideHeld } from '../invoices/credit-transfers.ts'
import { queuedDeposit } from './deposit-queue.queries.ts'
import { closeReturnRequests } from '../returns/request-return.ts'
import { creditOnApproval, firstApproval, hasNoForgedFirstApproval, NO_FIRST_APPROVAL } from './first-approval.ts'

/** Staff decision about a deposit. */
export interface DepositDecision {
  /** Public deposit id. */
  depositId: string
  /** Deciding staff member, taken from the session and never from the body. */
  staffId: bigint
  reason: string
}

export interface DepositApproval extends DepositDecision {
  /** Credit shown to the approver, in USD units. Any other amount is rejected. */
  amount: Units
  /** Returns true if a second approval is required. */
  needsTwo(deposit: { memberId: bigint; asset: 'USD'; amount: Units; firstId: bigint | null }): Promise<boolean>
  /** Called with the ledger transfer of the credit, or with the first one of several. */
  onPosted?(transferId: bigint): void
}

/** Locks a deposit awaiting a decision: unpaid at the provider, or with an exception. */
async function lockOpen(tx: Tx, decision: DepositDecision) {
  const deposit = await tx.selectFrom('deposit').selectAll().where('public_id', '=', decision.depositId).forUpdate().executeTakeFirst()
  const shown = await queuedDeposit(tx, decision.depositId)
  if (deposit === undefined || shown === undefined) throw new AppError('NOT_FOUND')
  if (shown.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  if (deposit.member_id === decision.staffId) throw new AppError('FOUR_EYES')
  return { deposit, shown }
}

/**
 * Approves a deposit. Credits the requested amount, or the whole amount if far more arrived; for chain invoices, the held transfers in
 * their own asset. Two staff members must approve above the limit, or if the provider's USD payments do not cover the credit (ASVS 2.3.5).
 * Staff cannot approve their own deposits. A later report of the provider credits nothing automatically (invariant I8).
 * @returns `approved`, or `waits-for-second` after a first approval
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, FOUR_EYES, INVALID_AMOUNT, APPROVAL_FORGED, TRANSFER_FORGED
 */
export async function approveDeposit(tx: Tx, deps: Deps, decision: DepositApproval): Promise<'approved' | 'waits-for-second'> {
  const { deposit, shown } = await lockOpen(tx, decision)
  const at = deps.clock.now()
  const { credit } = shown
  // Only a request for the return of rejected payments is open, which no approval answers.
  if (deposit.method === 'chain' && credit === 0n) throw new AppError('ALREADY_DECIDED')
  if (decision.amount !== credit) throw new AppError('INVALID_AMOUNT')
  const about = { ...deposit, credits: await creditOnApproval(tx, deposit.id) }
  if (!hasNoForgedFirstApproval(deps.config, about)) throw new AppError('APPROVAL_FORGED')
  const firstId = deposit.first_approved_by
  const wanted = await decision.needsTwo({ memberId: deposit.member_id, asset: 'USD', amount: credit, firstId })
  const two = wanted || (credit > 0n && !shown.isPaid)
  if (two && firstId === null) {
    await tx
      .updateTable('deposit')
      .set(firstApproval(deps.config, about, decision.staffId, at))
      .where('id', '=', deposit.id)
      .execute()
    return 'waits-for-second'
  }
  if (two && firstId === decision.staffId) throw new AppError('FOUR_EYES')
  const chain = deposit.method === 'chain'
  const credited = chain ? await creditHeld(tx, deps, deposit, at) : { own: credit, usd: credit, transferId: undefined }
  const transferId = chain || credit === 0n ? credited.transferId : await creditByHand(tx, deposit, credit, at)
  if (transferId !== undefined) decision.onPosted?.(transferId)
  const { first_approved_by, first_approved_at, first_mac } = firstId === decision.staffId ? NO_FIRST_APPROVAL : deposit
  const by = { first_approved_by, first_approved_at, first_mac }
  await writeDown(tx, deposit, decision, { outcome: 'APPROVED', credited: credited.usd, decided_at: at, ...by })
  await close(tx, deposit.id, at, {
    status: 'APPROVE',
    credited: deposit.credited + credited.own,
    usd_amount: shown.credited + credited.usd,
    // The watcher recomputes the invoice's state.
    ...(chain ? { next_check_at: at } : {}),
  })
  return 'approved'
}

/** Sums the solo manual credits since a time, in USD units, by decider and by member, among these people. */
export async function soloCredits(
  db: Db,
  { staffId, memberIds, since }: { staffId: bigint | null; memberIds: readonly bigint[]; since: Date },
): Promise<{ staffId: bigint; memberId: bigint; asset: 'USD'; amount: Units }[]> {
  const { rows } = await sql<{ staffId: bigint; memberId: bigint; asset: 'USD'; amount: Units }>`
    select decided_by as "staffId", member_id as "memberId", 'USD' as asset, sum(credited)::bigint as amount from deposit_decision
    where first_approved_by is null and decided_at > ${since} and (decided_by = ${staffId} or member_id = any(${memberIds}::bigint[]))
    group by 1, 2`.execute(db)
  return rows
}

/**
 * Rejects a deposit, or its uncredited payments and a request for their return. Existing credits stay.
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, FOUR_EYES for the staff member's own deposit
 */
export async function rejectDeposit(tx: Tx, deps: Deps, decision: DepositDecision): Promise<void> {
  const { deposit } = await lockOpen(tx, decision)
  const at = deps.clock.now()
  await writeDown(tx, deposit, decision, { outcome: 'REJECTED', credited: 0n, decided_at: at })
  if (deposit.method === 'chain') {
    // A payment in the requested amount may still arrive.
    await decideHeld(tx, deposit.id, at)
    await close(tx, deposit.id, at, {})
    return
  }
  await close(tx, deposit.id, at, { status: deposit.credited > 0n ? 'APPROVE' : 'REJECT' })
}

/** Records a decision with its approvers. Earlier decisions about the deposit stay. */
async function writeDown(
  tx: Tx,
  deposit: Selectable<DepositTable>,
  { staffId, reason }: DepositDecision,
  what: Pick<
    Insertable<DepositDecisionTable>,
    'outcome' | 'credited' | 'decided_at' | 'first_approved_by' | 'first_approved_at' | 'first_mac'
  >,
): Promise<void> {
  const about = { deposit_id: deposit.id, member_id: deposit.member_id, decided_by: staffId, reason }
  await tx
    .insertInto('deposit_decision')
    .values({ ...about, ...what })
    .execute()
}

/** Records the manual credit as a separate payment, so that payment sums match. */
async function creditByHand(tx: Tx, deposit: Selectable<DepositTable>, amount: Units, at: Date): Promise<bigint> {
  const paymentId = `hand-${deposit.public_id}`
  await tx
    .insertInto('provider_payment')
    .values({
      payment_id: paymentId,
      deposit_id: deposit.id,
      status: 'settled',
      pay_currency: 'usdt',
      actually_paid: amount,
      paid_text: formatUnits(amount),
      updated_at: at,
    })
    .execute()
  return creditPart(tx, deposit, { paymentId, amount, at })
}

async function close(tx: Tx, depositId: bigint, at: Date, facts: Updateable<DepositTable>): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({ ...facts, by_hand: true, decided_at: at, ...NO_FIRST_APPROVAL })
    .where('id', '=', depositId)
    .execute()
  await closeReturnRequests(tx, depositId, at)
  await tx
    .updateTable('provider_payment')
    .set({ reviewed_at: at })
    .where('deposit_id', '=', depositId)
    .where('review_reason', 'is not', null)
    .where('reviewed_at', 'is', null)
    .execute()
}

/** Revokes first approvals by a person who left the staff. Returns the deposits. */
export async function revokeFirstDepositApprovals(tx: Tx, staffId: bigint): Promise<string[]> {
  const rows = await tx
    .updateTable('deposit')
    .set(NO_FIRST_APPROVAL)
    .where('first_approved_by', '=', staffId)
    .returning('public_id as id')
    .execute()
  return rows.map((row) => row.id)
}
