import type { Units } from '@tizara/money'
import type { ProgrammeRules } from '../programme/programme.rules.ts'
import type { NewPromise } from './promises.ts'
import { shareOf } from '../programme/rewards.rules.ts'

/** The bounties of all levels on one reward, each rounded down by itself. */
const largestBounty = (reward: Units, percents: readonly Units[]): Units =>
  percents.reduce((total, percent) => total + shareOf(reward, percent), 0n)

/**
 * What a stake promises from one of its days on: its own rewards, and the largest possible bounties on them. The sale
 * notes it, and an undone sale takes the same back for the days to come.
 * @param stake whether it is an Omega stake, units of one day, the moment one day before the first, and how many days
 * @param rules the version of the programme that the stake was sold under
 */
export function promisesOfStake(
  stake: { isOmega: boolean; dailyReward: Units; startsAt: Date; times: number },
  rules: ProgrammeRules,
): NewPromise[] {
  const { isOmega, dailyReward, startsAt, times } = stake
  const day = { step: 'day', startsAt, times } as const
  const bounty = largestBounty(dailyReward, isOmega ? rules.stakeLogBountyPercents : rules.bountyPercents)
  return [
    { ...day, kind: isOmega ? 'stake-log' : 'daily', amount: dailyReward },
    { ...day, kind: isOmega ? 'stake-log-bounty' : 'profit-bounty', amount: bounty },
  ]
}

/**
 * What an NFT promises: its monthly rewards, and the largest possible bounties on them.
 * @param purchase units of one month, the moment of the purchase, and how many months
 * @param rules the version of the programme that the NFT was sold under
 */
export function promisesOfNft(purchase: { monthlyReward: Units; startsAt: Date; times: number }, rules: ProgrammeRules): NewPromise[] {
  const { monthlyReward, startsAt, times } = purchase
  const month = { step: 'month', startsAt, times } as const
  return [
    { ...month, kind: 'nft-monthly', amount: monthlyReward },
    { ...month, kind: 'nft-profit-bounty', amount: largestBounty(monthlyReward, rules.nftBountyPercents) },
  ]
}
