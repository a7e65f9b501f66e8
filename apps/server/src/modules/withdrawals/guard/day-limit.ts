import { formatUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Settings } from '../../settings/index.ts'

type Kind = 'withdrawal' | 'bridge'

/** Maximum units within 24 hours, for one member and in total. */
export const limitsOf = (settings: Settings, kind: Kind) =>
  kind === 'withdrawal'
    ? { member: settings.payoutDayUsd, total: settings.payoutDayTotalUsd }
    : { member: settings.payoutDayCoin, total: settings.payoutDayTotalCoin }

/** Units within 24 hours above which a member's payouts need a proven address. */
export const proofLimitOf = (settings: Settings, kind: Kind): Units =>
  kind === 'withdrawal' ? settings.proofAboveUsd : settings.proofAboveCoin

export const pastLimit = (limit: Units) => new AppError('PAYOUT_DAY_LIMIT', { limit: formatUnits(limit) })

/**
 * Rejects an approval that would exceed the 24-hour limit of the member or the instance.
 * @param tx a transaction that excludes concurrent payout decisions
 * @throws AppError PAYOUT_DAY_LIMIT
 */
export async function assertPayable(
  tx: Tx,
  settings: Settings,
  at: Date,
  request: { kind: Kind; memberId: bigint; amount: Units },
): Promise<void> {
  const limits = limitsOf(settings, request.kind)
  const since = new Date(at.getTime() - DAY_MS)
  const paid = await sql<{ member: Units; total: Units }>`
    select coalesce(sum(amount) filter (where member_id = ${request.memberId}), 0)::bigint as member, coalesce(sum(amount), 0)::bigint as total
    from payout_request where kind = ${request.kind} and status = 'APPROVED' and decided_at > ${since}`.execute(tx)
  const { member = 0n, total = 0n } = paid.rows[0] ?? {}
  if (member + request.amount > limits.member) throw pastLimit(limits.member)
  if (total + request.amount > limits.total) throw pastLimit(limits.total)
}
