import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import { noteTeamVolume, uplineOf } from '../../team/index.ts'
import { notePromises } from '../pool/promises.ts'
import { largestBounty, promisesOf } from '../pool/sale-promises.ts'
import { sharesOf } from '../programme/programme.rules.ts'
import { programmeOf } from '../programme/programme.ts'
import { levelReward, LEVELS, shareOf, STREAM_FACTS } from '../programme/rewards.rules.ts'
import { insertSource, type NewSource } from '../sources/source.ts'
import { holdRewards } from './hold-reward.ts'

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
