import type { Selectable } from 'kysely'
import type { Lease } from '../../jobs/lease.ts'
import type { Retention } from '../../jobs/retention.ts'
import type { Job } from '../../jobs/job.ts'
import { release } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../platform/db/tables.generated.ts'
import { type BookActor, auditPayoutAction } from './addresses/address-book.ts'
import { NO_FIRST_APPROVAL } from './payout-mac.ts'
import { notifyOwner } from './notify-member.ts'

type Request = Selectable<PayoutRequestTable>

/** Ledger kind for a returned hold. */
const RETURN_KIND = { withdrawal: 'withdrawalRejected', bridge: 'bridgeRejected', transfer: 'transferReleased' } as const
const returnKindOf = (kind: string) => RETURN_KIND[kind as keyof typeof RETURN_KIND]

/** Reasons shown to the owner for an outflow returned without a decision. */
const REASONS = { cancelled: 'Cancelled by you', expired: 'Not confirmed in time', stopped: 'Stopped by you' } as const

/**
 * Returns the whole amount of an undecided payout or transfer to its wallet.
 * @param request the row, locked by this transaction
 */
export async function returnToOwner(tx: Tx, liveDeps: Deps, request: Request, why: keyof typeof REASONS): Promise<void> {
  const deps = withFrozenClock(liveDeps)
  const at = deps.clock.now()
  await release(tx, {
    holdId: request.hold_id,
    kind: returnKindOf(request.kind),
    cause: { type: 'payout_request', id: request.public_id },
    at,
  })
  await tx
    .updateTable('payout_request')
    .set({ status: 'REJECTED', return_reason: why, reason: REASONS[why], decided_at: at, ...NO_FIRST_APPROVAL })
    .where('id', '=', request.id)
    .execute()
  await notifyOwner(tx, deps, why, request)
}

/**
 * Locks an undecided payout or transfer of the caller.
 * @throws AppError NOT_FOUND, ALREADY_DECIDED
 */
export async function lockOwn(tx: Tx, by: BookActor, id: string): Promise<Request> {
  const request = await tx
    .selectFrom('payout_request')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', by.memberId)
    .forUpdate()
    .executeTakeFirst()
  if (request === undefined) throw new AppError('NOT_FOUND')
  if (request.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  return request
}

/**
 * Cancels a member's undecided payout or transfer.
 * @throws AppError NOT_FOUND, ALREADY_DECIDED
 */
export async function cancelPayout(tx: Tx, deps: Deps, by: BookActor, id: string): Promise<void> {
  const request = await lockOwn(tx, by, id)
  await returnToOwner(tx, deps, request, 'cancelled')
  await auditPayoutAction(tx, deps, by, 'payout.cancel', id)
}

/**
 * Returns payouts and transfers that their owners did not confirm in time. Each uses its own transaction, so that wallet locks stay short.
 * @returns the number of returned requests
 */
function returnUnconfirmed(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const request = await tx
      .selectFrom('payout_request')
      .selectAll()
      .where('status', '=', 'PENDING')
      .where('confirmed_at', 'is', null)
      .where('confirm_by', '<=', deps.clock.now())
      .orderBy('confirm_by')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (request === undefined) return { done: 0, more: false }
    await returnToOwner(tx, deps, request, 'expired')
    return { done: 1, more: true }
  })
}

/** Recurring jobs for withdrawals. */
export const withdrawalJobs: Job[] = [{ name: 'return-unconfirmed-payouts', everySeconds: 15, run: returnUnconfirmed }]

/** The use of rules counts for a UTC day. */
export const withdrawalRetention: readonly Retention[] = [{ table: 'payout_rule_use', moment: 'day', days: 2 }]
