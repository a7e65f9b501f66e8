import { expect, it } from 'vitest'
import { type Entry, foldEntries, sumsOf } from './entry-folds.ts'

const row = (id: number, run?: string, kind = 'stakeRewards', amount = -10n): Entry => ({
  id: String(id),
  at: new Date(0),
  kind,
  text: kind,
  amount,
  balanceAfter: 0n,
  other: { number: '1', name: 'Native Wallet' },
  ...(run === undefined ? {} : { run }),
})
const shape = (rows: readonly Entry[], hasMore = false) =>
  foldEntries(rows, hasMore).map(({ rows: of, sum, open }) => [of.map((one) => one.id).join(' '), sum, open])

it('folds three or more consecutive entries of one run and kind, and nothing else', () => {
  expect(shape([row(9, 'a'), row(8, 'a'), row(7, 'a'), row(6), row(5), row(4), row(3, 'a'), row(2, 'a'), row(1, 'b')])).toEqual([
    ['9 8 7', -30n, false],
    ...['6', '5', '4', '3', '2', '1'].map((id) => [id, -10n, false]),
  ])
  expect(shape([row(3, 'a'), row(2, 'a', 'nftRewards'), row(1, 'a')])).toHaveLength(3)
  expect(shape([])).toEqual([])
})

it('reports that the last fold may continue in rows that are not loaded', () => {
  expect(shape([row(3, 'a'), row(2, 'a'), row(1, 'a')], true)).toEqual([['3 2 1', -30n, true]])
  expect(shape([row(1, 'a')], true)).toEqual([['1', -10n, false]])
})

it('sums incoming and outgoing amounts', () => {
  expect(sumsOf([row(2), row(1, undefined, 'fund', 7n)])).toEqual({ in: 7n, out: -10n })
})
