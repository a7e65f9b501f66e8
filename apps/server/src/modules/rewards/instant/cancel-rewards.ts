import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { revokePending } from './reverse-rewards.ts'

/** Selects a member's pending rewards. */
export interface PendingFilter {
  memberId: bigint
  /** Only rewards for purchases or stakes of this member. */
  sourceId?: bigint | undefined
  /** Only rewards up to this id, the newest reward that the caller has seen. */
  newest?: bigint | undefined
}

export interface PendingSums {
  rewards: number
  coin: Units
  usd: Units
}

/** Matches pending rewards, and a blocked member's owed rewards: the pool would pay those when the block ends. */
const isCancellable = (memberId: bigint) => sql<boolean>`beneficiary_id = ${memberId}
  and (status = 'held' or status = 'owed' and exists (select from member m where m.id = beneficiary_id and not m.is_active))`

const matches = ({ memberId, sourceId, newest }: PendingFilter) => sql<boolean>`
  ${isCancellable(memberId)} and (${sourceId ?? null}::bigint is null or source_member_id = ${sourceId ?? null}::bigint)
  and (${newest ?? null}::bigint is null or id <= ${newest ?? null}::bigint)`

/** Sums a member's pending rewards and, for a blocked member, the owed rewards. Also returns the newest id. */
export async function sumPending(db: Db, filter: PendingFilter): Promise<PendingSums & { newest: bigint }> {
  const found = await sql<PendingSums & { newest: bigint }>`
    select count(*)::int as rewards, coalesce(max(id), 0)::bigint as newest,
      coalesce(sum(amount - reversed) filter (where asset = 'COIN'), 0)::bigint as coin,
      coalesce(sum(amount - reversed) filter (where asset = 'USD'), 0)::bigint as usd
    from reward_instant where ${matches(filter)}`.execute(db)
  return found.rows[0] ?? { rewards: 0, coin: 0n, usd: 0n, newest: 0n }
}

/**
 * Cancels pending rewards and a blocked member's owed rewards, and removes the liabilities. The purchases and
 * stakes behind them earn no replacement later.
 * @param reason shown to the member
 * @returns the sums of the cancelled rewards
 */
export async function cancelPending(tx: Tx, filter: PendingFilter, reason: string): Promise<PendingSums> {
  const taken = await revokePending(tx, matches(filter), reason)
  const sum = (asset: string) => taken.reduce((total, row) => (row.asset === asset ? total + row.back : total), 0n)
  return { rewards: taken.length, coin: sum('COIN'), usd: sum('USD') }
}

export interface PendingReward {
  id: bigint
  kind: string
  /** The buyer's or staker's public id, name and email address; null for a rank. */
  from: { id: string; name: string; email: string } | null
  asset: 'coin' | 'usd'
  /** Remaining units. */
  amount: Units
  createdAt: Date
  releaseAt: Date
  /** False while the member is blocked: the reward is not payable then. */
  promised: boolean
}

/** Lists a member's pending rewards and, for a blocked member, the owed rewards, soonest release first. */
export async function listPending(
  db: Db,
  memberId: bigint,
  { limit, offset }: { limit: number; offset: number },
): Promise<PendingReward[]> {
  const found = await sql<Omit<PendingReward, 'from'> & { publicId: string | null; name: string; email: string }>`
    select i.id, i.kind, lower(i.asset) as asset, i.amount - i.reversed as amount, i.created_at as "createdAt", i.release_at as "releaseAt", i.is_liability as promised,
      m.public_id as "publicId", m.name, m.email
    from (select * from reward_instant where ${isCancellable(memberId)} order by release_at, id limit ${limit} offset ${offset}) i
    left join member m on m.id = i.source_member_id order by i.release_at, i.id`.execute(db)
  return found.rows.map(({ publicId, name, email, ...row }) => ({ ...row, from: publicId === null ? null : { id: publicId, name, email } }))
}
