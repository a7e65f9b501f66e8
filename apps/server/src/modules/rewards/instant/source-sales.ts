import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/app-error.ts'
import type { Tx } from '../../../platform/database.ts'
import { noteTeamVolume, uplineOf } from '../../team/index.ts'
import { notePromises, takePromisesBack } from '../pool/promises.ts'
import { largestBounty, promisesOf } from '../pool/sale-promises.ts'
import { programmeOf } from '../programme/programme.ts'
import { levelReward, LEVELS, sharesOf, shareOf, STREAM_FACTS } from '../programme/rewards.rules.ts'
import { endSource, holdSource, insertSource, type NewSource, type Source } from '../sources/source.ts'
import { holdRewards } from './hold-reward.ts'
import { assertUndoable, type TakenBack, undoRewards } from './undo-rewards.ts'

/**
 * Takes over from a sale what will pay day by day or month by month, and does what else the sale means for rewards: level
 * rewards of the upline (RW-02, RW-07, MF-18, MF-22), held; volume of the teams above, out of which ranks come (RW-05); and
 * what is promised, for the forecast.
 */
export async function openSource(tx: Tx, sale: NewSource): Promise<void> {
  const rules = await programmeOf(tx, sale.version)
  const { levels, bounties } = sharesOf(rules, sale.stream)
  const source = await insertSource(tx, { ...sale, bounty: largestBounty(sale.amount, bounties) })
  const upline = await uplineOf(tx, sale.memberId, LEVELS)
  const { level: kind, volume } = STREAM_FACTS[sale.stream]
  const stake = { amount: sale.principal, durationDays: sale.times }
  const reward = (percent: Units) =>
    volume === 'stake' ? levelReward(stake, percent, rules.fullLevelShareDays) : shareOf(sale.principal, percent)
  await noteTeamVolume(tx, {
    memberId: sale.memberId,
    at: sale.startsAt,
    [volume]: sale.principal,
    ...(volume === 'stake' ? { running: sale.principal } : {}),
  })
  await holdRewards(
    tx,
    sale.startsAt,
    upline
      .filter((one) => one.earns)
      .map((one) => ({
        kind,
        beneficiaryId: one.memberId,
        sourceMemberId: sale.memberId,
        cause: { type: 'source', id: source.id, publicId: sale.publicId, amount: sale.principal },
        level: one.level,
        base: sale.principal,
        percent: levels[one.level - 1] ?? 0n,
        amount: reward(levels[one.level - 1] ?? 0n),
        version: rules.version,
      })),
  )
  await notePromises(tx, promisesOf(source))
}

const causeOf = ({ id }: Source) => ({ type: 'source', id }) as const

/**
 * Refuses to undo a stake whose days have all been counted, an NFT of which a month has, and either when the hold period of
 * its level rewards is over. Holds the source and those rewards, so that nothing of it is counted or released until the
 * transaction ends.
 * @param publicId the stake or purchase as members know it
 * @throws AppError UNDO_REFUSED
 */
export async function assertSourceUndoable(tx: Tx, publicId: string, now: Date): Promise<void> {
  const source = await holdSource(tx, publicId)
  if (source.stream === 2 && source.counted > 0) throw new AppError('UNDO_REFUSED', { why: 'its first month has passed' })
  if (source.counted >= source.times) throw new AppError('UNDO_REFUSED', { why: 'the stake has run its time' })
  await assertUndoable(tx, { cause: causeOf(source), at: source.startsAt }, now)
}

/**
 * What it means for rewards that a stake or NFT was undone: level rewards and the steps to come fall away, and so does the
 * volume of the teams above, with ranks that rest on it. Days that were counted stay earned: the coin did lie there.
 * @param publicId one that {@link assertSourceUndoable} has let pass in this transaction
 */
export async function undoSource(tx: Tx, publicId: string, at: Date): Promise<TakenBack> {
  const source = await holdSource(tx, publicId)
  await endSource(tx, source, at)
  const taken = await undoRewards(tx, causeOf(source))
  await takePromisesBack(tx, promisesOf(source))
  const { volume } = STREAM_FACTS[source.stream]
  await noteTeamVolume(tx, {
    memberId: source.memberId,
    at: source.startsAt,
    [volume]: -source.principal,
    ...(volume === 'stake' ? { running: -source.principal } : {}),
  })
  return taken
}
