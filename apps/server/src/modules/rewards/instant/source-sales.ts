import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { recordTeamVolume } from '../../team/index.ts'
import { confirmCoverage, type SaleTerms } from '../pool/assert-covered.ts'
import { type NewLiability, recordLiabilities, releaseLiabilities } from '../pool/liabilities.ts'
import { sharesOf, shareOf, STREAM_PROPERTIES } from '../programme/rewards.rules.ts'
import { endSource, holdSource, type NewSource, type SoldSource, type Source } from '../sources/source.ts'
import { holdLevels } from './hold-reward.ts'
import { rankBudget } from '../programme/rank-budget.rules.ts'
import { assertReversible, type ReversedRewards, reverseRewards } from './reverse-rewards.ts'

/**
 * Registers sold stakes and NFTs, which pay daily or monthly, with all effects on rewards.
 * These are the uplines' pending level rewards (RW-02, RW-07, MF-18, MF-22), the team volume behind ranks (RW-05) and the liabilities.
 */
export async function openSources(tx: Tx, terms: SaleTerms, at: Date, sales: readonly SoldSource[]): Promise<void> {
  const { programme } = terms
  const sources = sales.map((sale) => {
    const bounty = largestBounty(sale.amount, sharesOf(programme, sale.stream).bounties)
    const budget = STREAM_PROPERTIES[sale.stream].volume === 'stake' ? rankBudget(sale.principal, sale.steps, programme.ranks) : 0n
    return { ...sale, startsAt: at, version: programme.version, bounty, rankBudget: budget, processed: 0 }
  })
  await holdLevels(tx, at, sources)
  await recordTeamVolume(
    tx,
    sources.map((source) => volumeOf(source, source.principal)),
  )
  await recordLiabilities(tx, sources.flatMap(liabilitiesOf))
  if (sales.length > 0) await confirmCoverage(tx, terms)
}

/**
 * Returns the source's contribution to its upline teams' volume.
 * @param principal units; negative to subtract
 */
export function volumeOf({ stream, memberId, startsAt: at }: NewSource, principal: Units) {
  return STREAM_PROPERTIES[stream].volume === 'stake'
    ? { memberId, at, stake: principal, running: principal }
    : { memberId, at, nft: principal }
}

/** Sums the bounties of all levels on one reward, each rounded down. */
export const largestBounty = (reward: Units, percents: readonly Units[]): Units =>
  percents.reduce((total, percent) => total + shareOf(reward, percent), 0n)

/**
 * Returns the liabilities of a source from the next step on: the source's rewards and the largest possible bounties. A sale adds these
 * liabilities, a counted step removes its part, and a reversal removes the rest.
 */
export function liabilitiesOf(source: Omit<Source, 'id' | 'reversedAt'>): NewLiability[] {
  const { own, bounty, step } = STREAM_PROPERTIES[source.stream]
  // An NFT has no counted months when it is sold or reversed.
  const startsAt = new Date(source.startsAt.getTime() + source.processed * DAY_MS)
  const steps = { step, startsAt, steps: source.steps - source.processed }
  return [
    { ...steps, kind: own, amount: source.amount },
    { ...steps, kind: bounty, amount: source.bounty },
    // A stake's rank budget, when it matures.
    {
      step: 'day',
      startsAt: new Date(source.startsAt.getTime() + (source.steps - 1) * DAY_MS),
      steps: 1,
      kind: 'rank',
      amount: source.rankBudget,
    },
  ]
}

const causeOf = ({ id }: Source) => ({ type: 'source', id }) as const

/**
 * Rejects the reversal of a fully counted stake, of an NFT with a counted month, and of both after the allowed days. Locks the source and
 * its rewards, so that no run counts or releases before the end of the transaction.
 * @throws AppError PURCHASE_NOT_REVERSIBLE
 */
export async function assertSourceReversible(tx: Tx, publicId: string, now: Date): Promise<void> {
  const source = await holdSource(tx, publicId)
  if (source.stream === 2 && source.processed > 0) throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'its first month has passed' })
  if (source.processed >= source.steps) throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'the stake has run its time' })
  await assertReversible(tx, { kind: STREAM_PROPERTIES[source.stream].volume, cause: causeOf(source), at: source.startsAt }, now)
}

/**
 * Reverses all effects of a reversed stake or NFT: level rewards, future steps, team volume and dependent ranks.
 * Counted days stay earned, as the coin was staked.
 * @param publicId a source that {@link assertSourceReversible} accepted in this transaction
 */
export async function reverseSource(tx: Tx, publicId: string, at: Date): Promise<ReversedRewards> {
  const source = await holdSource(tx, publicId)
  await endSource(tx, source, at)
  const taken = await reverseRewards(tx, causeOf(source))
  await releaseLiabilities(tx, liabilitiesOf(source))
  await recordTeamVolume(tx, [volumeOf(source, -source.principal)])
  return taken
}
