import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { soloCredits } from '../../deposits/index.ts'
import { listActionsByOrOn } from '../../audit/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { soloPayouts } from '../../withdrawals/index.ts'
import type { StaffActor } from '../access/actor.ts'
import { assertCoolingOffOver } from './cooling-off.ts'
import { assertNoConflictOfInterest } from './conflict-of-interest.ts'

/** Key of the lock that serializes money decisions. The sums below stay constant meanwhile. */
const DECISION_LOCK = 1_702_257_014

/** Takes the lock for decisions about money until the end of the transaction. Every such decision takes this lock first. */
export async function queueForDecision(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DECISION_LOCK})`.execute(tx)
}

/** A staff decision about money. */
export interface MoneyDecision {
  asset: 'USD' | 'COIN'
  amount: Units
  /** The owner; the actor's id for operator money. */
  memberId: bigint
  firstId?: bigint | null
}

/**
 * Returns true if the 24-hour total of solo decisions by this person, or for this member, would exceed the limit [ASVS 2.3.5]. The total
 * includes all queues and calls. USD and coin are added as shares of their limits, because staff set the price.
 * @param tx a transaction with the lock for decisions about money
 * @throws AppError FOUR_EYES if the person is linked to the member or to the first approver, or is in the cooling-off period
 */
export async function requiresSecondApproval(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, about: MoneyDecision): Promise<boolean> {
  const { memberId, firstId } = about
  await assertCoolingOffOver(tx, deps.clock.now(), [actor.memberId, firstId ?? actor.memberId])
  const others = [memberId, firstId ?? actor.memberId].filter((id) => id !== actor.memberId)
  await assertNoConflictOfInterest(tx, [actor.memberId], others)
  return (await exceedsSoloLimit(tx, deps.clock.now(), actor.memberId, [memberId]))(about)
}

/**
 * Reads the solo decisions of the last 24 hours once, for checks of many decisions.
 * @param staffId the approver; null for a reader without the right
 * @param memberIds owners of the money
 * @returns a function that returns true if a decision would exceed the limits
 */
export async function exceedsSoloLimit(
  db: Db,
  now: Date,
  staffId: bigint | null,
  memberIds: readonly bigint[],
): Promise<(about: MoneyDecision) => boolean> {
  const since = new Date(now.getTime() - DAY_MS)
  const { fourEyesAboveUsd, fourEyesAboveCoin } = await currentSettings(db, now)
  const window = { staffId, memberIds, since }
  const decided = [...(await soloPayouts(db, window)), ...(await soloCredits(db, window))]
  const moved = await soloMoves(db, window)
  const limits = { USD: fourEyesAboveUsd, COIN: fourEyesAboveCoin }
  return ({ asset, amount, memberId }) => {
    const soloDecisions = [...decided, ...moved]
    const byPerson = soloDecisions.filter((row) => row.staffId === staffId)
    const toMember = soloDecisions.filter((row) => row.memberId === memberId)
    return [byPerson, toMember].some((rows) => isPast(limits, [...rows, { asset, amount }]))
  }
}

type MoneyMove = Pick<MoneyDecision, 'asset' | 'amount'>

/** Returns true if a sum exceeds its limit, or if the shares in both limits exceed the whole. */
function isPast(limits: Record<MoneyDecision['asset'], Units>, rows: readonly MoneyMove[]): boolean {
  const sum = (of: MoneyDecision['asset']) => rows.reduce<Units>((total, { asset, amount }) => (asset === of ? total + amount : total), 0n)
  const [usd, coin] = [sum('USD'), sum('COIN')]
  return usd > limits.USD || coin > limits.COIN || usd * limits.COIN + coin * limits.USD > limits.USD * limits.COIN
}

/** Sums the movements of operator money that this person made alone, from the audit log. */
async function soloMoves(db: Db, { staffId, since }: Parameters<typeof soloPayouts>[1]) {
  const funds = await listActionsByOrOn(db, { actorId: staffId, memberIds: [], action: 'rewards.fund-pool', since })
  return funds.flatMap(({ actorId, detail }) => {
    const move = parseSoloMove(detail)
    return move === undefined ? [] : [{ ...move, staffId: actorId, memberId: null }]
  })
}

/** Parses a recorded solo move; undefined if two people decided, or for the initial setup. */
function parseSoloMove(detail: unknown): MoneyMove | undefined {
  if (typeof detail !== 'object' || detail === null || 'approvedBy' in detail || 'opening' in detail || !('amount' in detail))
    return undefined
  return { asset: 'asset' in detail && detail.asset === 'USD' ? 'USD' : 'COIN', amount: BigInt(String(detail.amount)) }
}
