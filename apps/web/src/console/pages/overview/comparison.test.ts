import { expect, it } from 'vitest'
import { compare, shareOf } from './comparison.ts'

it.each([
  [112n, 100n, '+12 %', 'up'],
  [95n, 100n, '−5 %', 'down'],
  [0n, 100n, '−100 %', 'down'],
  [-50n, 100n, '−150 %', 'down'],
  [7n, 7n, 'no change', 'same'],
  [0n, 0n, 'no change', 'same'],
  [5n, 0n, 'none before', 'up'],
  [-5n, 0n, 'none before', 'down'],
  [5n, -5n, 'negative before', 'up'],
  [1001n, 1000n, '+under 1 %', 'up'],
  [999n, 100n, '+899 %', 'up'],
  [1000n, 100n, '10 ×', 'up'],
  [10n ** 24n, 1n, '1,000,000,000,000,000,000,000,000 ×', 'up'],
] as const)('compares %s with %s as %s', (now, before, text, direction) => {
  expect(compare(now, before)).toEqual({ text, direction })
})

it('returns a share in percent, and a dash of nothing', () => {
  expect([shareOf(1, 3), shareOf(0, 5), shareOf(0, 0), shareOf(5, 0)]).toEqual(['33 %', '0 %', '–', '–'])
})
