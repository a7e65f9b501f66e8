import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { creditedAlone } from '../deposits/index.ts'
import { auditDetailsOf } from '../members/index.ts'
import { currentSettings } from '../settings/index.ts'
import { paidOutAlone } from '../withdrawals/index.ts'
import type { StaffActor } from './actor.ts'
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
 * and by every call, or what was decided alone for this member, would pass the limit of the settings. Slices add up.
 * @param tx a transaction that has taken the queue's lock
 * @throws AppError FOUR_EYES when the person looks like the member, or like the one who approved before
 */
export async function takesTwo(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, about: MoneyDecision): Promise<boolean> {
  const { memberId, firstId } = about
  for (const other of [memberId, firstId ?? actor.memberId]) {
    if (other !== actor.memberId && (await shareTraces(tx, actor.memberId, other))) throw new AppError('FOUR_EYES')
  }
  return (await pastLimitAlone(tx, deps.clock.now(), actor.memberId, [memberId]))(about)
}

/**
 * What was decided alone within 24 hours, for many decisions at once.
 * @param staffId who would decide; null for somebody who may not
 * @param memberIds whose money the decisions are about
 * @returns whether a decision would pass the limit of the settings
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
  const moved = staffId === null ? [] : await movedAlone(db, staffId, since)
  return ({ asset, amount, memberId }) => {
    const sum = (rows: readonly { asset: string; amount: Units }[]) =>
      rows.reduce<Units>((total, row) => (row.asset === asset ? total + row.amount : total), 0n)
    const byPerson = sum([...decided.filter((row) => row.staffId === staffId), ...moved])
    const toMember = sum(decided.filter((row) => row.memberId === memberId))
    const alone = byPerson > toMember ? byPerson : toMember
    return alone + amount > (asset === 'USD' ? fourEyesAboveUsd : fourEyesAboveCoin)
  }
}

/** What the person moved alone out of the house's own accounts, by the records of it. */
async function movedAlone(db: Db, actorId: bigint, since: Date): Promise<{ asset: 'USD' | 'COIN'; amount: Units }[]> {
  const credits = await auditDetailsOf(db, { actorId, action: 'rewards.credit-rcm', since })
  const funds = await auditDetailsOf(db, { actorId, action: 'rewards.fund-pool', since })
  return [...credits, ...funds].flatMap((detail) => moveAlone(detail) ?? [])
}

/** A recorded move, unless two people stood behind it; a credit of RCM coin names no asset. */
function moveAlone(detail: unknown): { asset: 'USD' | 'COIN'; amount: Units } | undefined {
  if (typeof detail !== 'object' || detail === null || 'approvedBy' in detail || !('amount' in detail)) return undefined
  return { asset: 'asset' in detail && detail.asset === 'USD' ? 'USD' : 'COIN', amount: BigInt(String(detail.amount)) }
}
