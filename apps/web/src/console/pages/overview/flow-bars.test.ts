import { expect, it } from 'vitest'
import { flowBars } from './flow-bars.ts'

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    in: 1n,
    out: BigInt(index),
  }))

it('returns a bar for each of 30 days', () => {
  expect(flowBars(days(30))).toHaveLength(30)
})

it('groups 90 days into weeks, the last one complete, and omits no day', () => {
  const bars = flowBars(days(90))
  expect(bars.map((bar) => bar.days)).toEqual([6, ...Array.from({ length: 12 }, () => 7)])
  expect(bars.reduce((sum, bar) => sum + bar.in, 0n)).toBe(90n)
  expect(bars.reduce((sum, bar) => sum + bar.out, 0n)).toBe((89n * 90n) / 2n)
})

it('groups a year into calendar months', () => {
  expect(flowBars(days(365)).map((bar) => [bar.day, bar.days])).toMatchObject([
    ['2026-01-01', 31],
    ['2026-02-01', 28],
    ...Array.from({ length: 10 }, () => [expect.stringMatching(/^2026-\d\d-01$/), expect.any(Number)]),
  ])
  expect(flowBars([])).toEqual([])
})
