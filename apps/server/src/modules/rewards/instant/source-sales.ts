import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { recordTeamVolume } from '../../team/index.ts'
import { confirmCover, type SaleTerms } from '../pool/assert-covered.ts'
import { type NewPromise, notePromises, takePromisesBack } from '../pool/promises.ts'
import { sharesOf, shareOf, STREAM_FACTS } from '../programme/rewards.rules.ts'
import { endSource, holdSource, type NewSource, type SoldSource, type Source } from '../sources/source.ts'
import { holdLevels } from './hold-reward.ts'
import { assertUndoable, type TakenBack, undoRewards } from './undo-rewards.ts'

/**
 * Takes over from sales what will pay day by day or month by month, and does what else a sale means for rewards: level
 * rewards of the upline (RW-02, RW-07, MF-18, MF-22), held; volume of the teams above, out of which ranks come (RW-05); and
 * what is promised, for the forecast.
 */
export async function openSources(tx: Tx, terms: SaleTerms, at: Date, sales: readonly SoldSource[]): Promise<void> {
  const { programme, holdDays } = terms
  const sources = sales.map((sale) => {
    const bounty = largestBounty(sale.amount, sharesOf(programme, sale.stream).bounties)
    return { ...sale, startsAt: at, version: programme.version, bounty, counted: 0 }
  })
  await holdLevels(tx, at, holdDays, sources)
  await recordTeamVolume(
    tx,
    sources.map((source) => volumeOf(source, source.principal)),
  )
  await notePromises(tx, sources.flatMap(promisesOf))
  if (sales.length > 0) await confirmCover(tx, terms)
}

/**
 * What a source adds to the volume of the teams above.
 * @param principal units; below 0 where it is taken away again
 */
function volumeOf({ stream, memberId, startsAt: at }: NewSource, principal: Units) {
  return STREAM_FACTS[stream].volume === 'stake' ? { memberId, at, stake: principal, running: principal } : { memberId, at, nft: principal }
}

/** The bounties of all levels on one reward, each rounded down by itself. */
const largestBounty = (reward: Units, percents: readonly Units[]): Units =>
  percents.reduce((total, percent) => total + shareOf(reward, percent), 0n)

/**
 * What a source promises from its next step on: its own rewards, and the largest possible bounties on them. The sale notes
 * it, each counted step keeps its part, and an undone sale takes the same back for the steps to come.
 */
function promisesOf(source: Omit<Source, 'id' | 'undoneAt'>): NewPromise[] {
  const { own, bounty, step } = STREAM_FACTS[source.stream]
  // Of an NFT nothing is counted yet when it is sold, or undone.
  const startsAt = new Date(source.startsAt.getTime() + source.counted * DAY_MS)
  const steps = { step, startsAt, times: source.times - source.counted }
  return [
    { ...steps, kind: own, amount: source.amount },
    { ...steps, kind: bounty, amount: source.bounty },
  ]
}

const causeOf = ({ id }: Source) => ({ type: 'source', id }) as const

/**
 * Refuses to undo a stake whose days have all been counted, an NFT of which a month has, and either when the hold period of
 * its level rewards is over. Holds the source and those rewards, so that nothing of it is counted or released until the
 * transaction ends.
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
  await recordTeamVolume(tx, [volumeOf(source, -source.principal)])
  return taken
}
