import { AppError } from '../../../platform/app-error.ts'
import type { Tx } from '../../../platform/database.ts'
import { noteTeamVolume } from '../../team/index.ts'
import { takePromisesBack } from '../pool/promises.ts'
import { promisesOf } from '../pool/sale-promises.ts'
import { STREAM_FACTS } from '../programme/rewards.rules.ts'
import { endSource, holdSource, type Source } from '../sources/source.ts'
import { assertUndoable } from './assert-undoable.ts'
import { type TakenBack, undoRewards } from './undo-rewards.ts'

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
  const taken = await undoRewards(tx, { cause: causeOf(source), undone: source.principal, at })
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
