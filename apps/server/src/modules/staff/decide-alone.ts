import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database.ts'
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
  const { asset, memberId, firstId } = about
  for (const other of [memberId, firstId ?? actor.memberId]) {
    if (other !== actor.memberId && (await shareTraces(tx, actor.memberId, other))) throw new AppError('FOUR_EYES')
  }
  const now = deps.clock.now()
  const { fourEyesAboveUsd, fourEyesAboveCoin } = await currentSettings(tx, now)
  const window = { asset, staffId: actor.memberId, memberId, since: new Date(now.getTime() - DAY_MS) }
  const paid = await paidOutAlone(tx, window)
  const credited = asset === 'USD' ? await creditedAlone(tx, window) : { byPerson: 0n, toMember: 0n }
  const byPerson = paid.byPerson + credited.byPerson + (await movedAlone(tx, window))
  const toMember = paid.toMember + credited.toMember
  const alone = byPerson > toMember ? byPerson : toMember
  return alone + about.amount > (asset === 'USD' ? fourEyesAboveUsd : fourEyesAboveCoin)
}

/** What the person moved alone out of the house's own accounts, by the records of it. */
async function movedAlone(tx: Tx, { asset, staffId, since }: { asset: 'USD' | 'COIN'; staffId: bigint; since: Date }): Promise<Units> {
  const credits = asset === 'COIN' ? await auditDetailsOf(tx, { actorId: staffId, action: 'rewards.credit-rcm', since }) : []
  const funds = await auditDetailsOf(tx, { actorId: staffId, action: 'rewards.fund-pool', since })
  return [...credits, ...funds].reduce<Units>((sum, detail) => sum + amountAlone(detail, asset), 0n)
}

/** What a recorded move adds: its amount, unless two people stood behind it. */
function amountAlone(detail: unknown, asset: string): Units {
  if (typeof detail !== 'object' || detail === null || 'approvedBy' in detail || !('amount' in detail)) return 0n
  if ('asset' in detail && detail.asset !== asset) return 0n
  return BigInt(String(detail.amount))
}
