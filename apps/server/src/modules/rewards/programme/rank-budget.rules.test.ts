import { describe, expect, it } from 'vitest'
import { type Leader, rankBudget, shareRankBudget } from './rank-budget.rules.ts'

const BRONZE = { rank: 'bronze', teamStake: 1_000n, bonus: 50n }
const SILVER = { rank: 'silver', teamStake: 5_000n, bonus: 500n }
const ladder = { version: 1, ranks: [BRONZE, SILVER] }
const leader = (id: bigint, counted: bigint): Leader => ({ id, counted, bonuses: new Map() })
const parts = (budget: bigint, leaders: readonly Leader[], on = ladder) =>
  shareRankBudget(budget, leaders, on).map(({ leaderId, bonus, amount, completes }) => [leaderId, bonus.rank, amount, completes])

describe('a rank budget', () => {
  it('is the largest bonus per threshold, by days of a year, rounded down', () => {
    expect(rankBudget(1_000n, 365, ladder.ranks)).toBe(100n)
    expect(rankBudget(1_000n, 364, ladder.ranks)).toBe(99n)
    expect(rankBudget(1_000n, 730, ladder.ranks)).toBe(100n)
    expect(rankBudget(9n, 365, ladder.ranks)).toBe(0n)
    expect(rankBudget(1_000n, 365, [])).toBe(0n)
  })

  it('fills only ranks whose threshold the team holds', () => {
    expect(parts(400n, [leader(1n, 999n)])).toEqual([])
    expect(parts(400n, [leader(1n, 1_000n)])).toEqual([[1n, 'bronze', 50n, true]])
    expect(parts(400n, [leader(1n, 4_999n)])).toEqual([[1n, 'bronze', 50n, true]])
    expect(parts(400n, [leader(1n, 5_000n)])).toEqual([
      [1n, 'bronze', 50n, true],
      [1n, 'silver', 350n, false],
    ])
  })

  it('goes to the nearest leader first, and the remainder to the next', () => {
    expect(parts(70n, [leader(1n, 1_000n), leader(2n, 1_000n)])).toEqual([
      [1n, 'bronze', 50n, true],
      [2n, 'bronze', 20n, false],
    ])
    expect(parts(1_000n, [leader(1n, 1_000n), leader(2n, 0n)])).toEqual([[1n, 'bronze', 50n, true]])
  })

  it('pays no bonus twice, and never more than the budget', () => {
    const one = leader(1n, 9_000n)
    expect(parts(30n, [one])).toEqual([[1n, 'bronze', 30n, false]])
    expect(parts(30n, [one])).toEqual([
      [1n, 'bronze', 20n, true],
      [1n, 'silver', 10n, false],
    ])
    expect(parts(490n, [one])).toEqual([[1n, 'silver', 490n, true]])
    expect(parts(100n, [one])).toEqual([])
  })

  it('keeps the terms under which a bonus was begun', () => {
    const one = leader(1n, 1_000n)
    parts(10n, [one])
    const richer = { version: 2, ranks: [{ ...BRONZE, teamStake: 900n, bonus: 5_000n }] }
    expect(shareRankBudget(100n, [one], richer)).toMatchObject([{ amount: 40n, completes: true, bonus: { version: 1, bonus: 50n } }])
  })
})
