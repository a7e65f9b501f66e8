import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { type Offer, programmeBound } from './bound.rules.ts'

const percent = (value: number) => BigInt(Math.round(value * 1e8))
const five = [5, 3, 2, 1, 1].map(percent)
const ten = [10, 5, 3, 2, 1].map(percent)

const offer: Offer = {
  rules: {
    referralPercent: percent(5),
    levelPercents: five,
    bountyPercents: ten,
    stakeLogLevelPercents: five,
    stakeLogBountyPercents: ten,
    nftLevelPercents: five,
    nftBountyPercents: ten,
    fullLevelShareDays: 365,
    ranks: [
      { rank: 'bronze', teamStake: 100_000n * ONE, bonus: 500n * ONE },
      { rank: 'silver', teamStake: 500_000n * ONE, bonus: 2500n * ONE },
    ],
  },
  plans: [
    { name: 'Sprint', durationDays: 15, apy: percent(0.6), isOmega: false },
    { name: 'Year', durationDays: 365, apy: percent(20), isOmega: false },
  ],
  nfts: [{ name: 'Dome', durationMonths: 24, totalPercent: percent(36) }],
  holdDays: 30,
  coinPrice: 800_000n,
  convertRate: 800_000n,
  withdrawalFeePercent: percent(7),
  bridgeFeePercent: percent(5),
}
const changed = (change: Partial<Offer>) => programmeBound({ ...offer, ...change })

it('[RW-14] sums what one coin earns during its lock: one referral, one plan with its rank budget', () => {
  const { once, perMonth, moves } = programmeBound(offer)
  expect(once).toBe(percent(5))
  // (20 % × 1.21 + 12 %) of a year in 30 days, and a rank budget of 0.5 %.
  expect(Number(perMonth) / 1e8).toBeCloseTo(((20 * 1.21 + 12 + 0.5) * 30) / 365, 6)
  expect(moves.map((move) => move.what.split(',')[0])).toEqual([
    'once',
    'daily rewards of Year',
    'profit bounties on them for five accounts above',
    'level rewards of each stake for five accounts above',
    'rank bonuses that its rank budget fills',
  ])
  expect(moves.slice(1).reduce((total, move) => total + move.percent, 0n)).toBe(perMonth)
})

it('[RW-14] [RW-02] counts a short plan by its days, and with the full level share if configured', () => {
  const sprint = { plans: offer.plans.slice(0, 1) }
  expect(Number(changed(sprint).perMonth) / 1e8).toBeCloseTo(2 * (0.6 * 1.21 + (12.5 * 15) / 365), 6)
  const whole = changed({ ...sprint, rules: { ...offer.rules, fullLevelShareDays: 1 } })
  expect(Number(whole.perMonth) / 1e8).toBeCloseTo(2 * (0.6 * 1.21 + 12 + (0.5 * 15) / 365), 6)
})

it('[RW-14] counts an NFT only for its gain above its price, in place of a stake', () => {
  expect(changed({ plans: [] })).toMatchObject({ perMonth: 0n })
  const rich = changed({ nfts: [{ name: 'Rich', durationMonths: 12, totalPercent: percent(200) }] })
  expect(Number(rich.perMonth) / 1e8).toBeCloseTo(((200 * 1.21 + 12 - 100) * 30) / (12 * 28), 6)
})

it('[RW-14] counts selling and buying again when that costs less than the referral reward', () => {
  const cheap = changed({ withdrawalFeePercent: percent(1) })
  expect(cheap.perMonth).toBe((programmeBound(offer).perMonth ?? 0n) + percent(4))
  const bridge = changed({ bridgeFeePercent: 0n, withdrawalFeePercent: percent(3) })
  expect(bridge.perMonth).toBe((programmeBound(offer).perMonth ?? 0n) + percent(5))
  expect(bridge.moves.at(-1)?.what).toMatch(/sold outside/)
})

it('[RW-14] has no bound without a hold when a round trip gains, or when a conversion gains', () => {
  expect(changed({ holdDays: 0, withdrawalFeePercent: 0n }).perMonth).toBeNull()
  expect(changed({ convertRate: 799_999n }).perMonth).toBeNull()
  expect(changed({ holdDays: 0 }).perMonth).not.toBeNull()
})
