import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { creditedAlone } from '../../deposits/index.ts'
import { doneByOrTo } from '../../audit/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { paidOutAlone } from '../../withdrawals/index.ts'
import type { StaffActor } from '../access/actor.ts'
import { assertNoNovice } from './novices.ts'
import { shareTraces } from './shared-traces.ts'

/** Key of the lock that orders decisions about money: the sums below must not move while one is made. */
const DECISION_LOCK = 1_702_257_014

/** Takes part in the one queue of decisions about money, until the transaction ends; the first thing such a one does. */
export async function queueForDecision(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DECISION_LOCK})`.execute(tx)
}

/** Money that a member of staff decides about. */
export interface MoneyDecision {
  asset: 'USD' | 'COIN'
  amount: Units
  /** Whose money; the decider's own id where it is the house's. */
  memberId: bigint
  /** Who has approved it before, if anybody. */
  firstId?: bigint | null
}

/**
 * Whether a decision takes two people (ASVS 2.3.5): with it, what this person decided alone within 24 hours, in every queue
 * and by every call, or what was decided alone for this member, would pass the limit of the settings. Slices add up, and so do
 * dollars and coin, each by its share of its limit: a price would say less, as staff set it themselves.
 * @param tx a transaction that has taken the queue's lock
 * @throws AppError FOUR_EYES when the person looks like the member, or like the one who approved before, or was made by one alone
 */
export async function takesTwo(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, about: MoneyDecision): Promise<boolean> {
  const { memberId, firstId } = about
  await assertNoNovice(tx, deps.clock.now(), [actor.memberId, firstId ?? actor.memberId])
  for (const other of [memberId, firstId ?? actor.memberId]) {
    if (other !== actor.memberId && (await shareTraces(tx, actor.memberId, other))) throw new AppError('FOUR_EYES')
  }
  return (await pastLimitAlone(tx, deps.clock.now(), actor.memberId, [memberId]))(about)
}

/**
 * What was decided alone within 24 hours, for many decisions at once.
 * @param staffId who would decide; null for somebody who may not
 * @param memberIds whose money the decisions are about
 * @returns whether a decision would pass the limits of the settings
 */
export async function pastLimitAlone(
  db: Db,
  now: Date,
  staffId: bigint | null,
  memberIds: readonly bigint[],
): Promise<(about: MoneyDecision) => boolean> {
  const since = new Date(now.getTime() - DAY_MS)
  const { fourEyesAboveUsd, fourEyesAboveCoin } = await currentSettings(db, now)
  const window = { staffId, memberIds, since }
  const decided = [...(await paidOutAlone(db, window)), ...(await creditedAlone(db, window))]
  const moved = await movedAlone(db, window)
  const limits = { USD: fourEyesAboveUsd, COIN: fourEyesAboveCoin }
  return ({ asset, amount, memberId }) => {
    const alone = [...decided, ...moved]
    const byPerson = alone.filter((row) => row.staffId === staffId)
    const toMember = alone.filter((row) => row.memberId === memberId)
    return [byPerson, toMember].some((rows) => isPast(limits, [...rows, { asset, amount }]))
  }
}

type Moved = Pick<MoneyDecision, 'asset' | 'amount'>

/** Whether sums pass a limit, or what they take of both limits passes the whole: dollars and coin of a day count together. */
function isPast(limits: Record<MoneyDecision['asset'], Units>, rows: readonly Moved[]): boolean {
  const sum = (of: MoneyDecision['asset']) => rows.reduce<Units>((total, { asset, amount }) => (asset === of ? total + amount : total), 0n)
  const [usd, coin] = [sum('USD'), sum('COIN')]
  return usd > limits.USD || coin > limits.COIN || usd * limits.COIN + coin * limits.USD > limits.USD * limits.COIN
}

/** What the person moved alone out of the house's own accounts, by the records of it. */
async function movedAlone(db: Db, { staffId, since }: Parameters<typeof paidOutAlone>[1]) {
  const funds = await doneByOrTo(db, { actorId: staffId, memberIds: [], action: 'rewards.fund-pool', since })
  return funds.flatMap(({ actorId, detail }) => {
    const move = moveAlone(detail)
    return move === undefined ? [] : [{ ...move, staffId: actorId, memberId: null }]
  })
}

/** A recorded move, unless two people stood behind it or the house was opened by it. */
function moveAlone(detail: unknown): Moved | undefined {
  if (typeof detail !== 'object' || detail === null || 'approvedBy' in detail || 'opening' in detail || !('amount' in detail))
    return undefined
  return { asset: 'asset' in detail && detail.asset === 'USD' ? 'USD' : 'COIN', amount: BigInt(String(detail.amount)) }
}
