import { expect, it } from 'vitest'
import { periodsOf } from './period.rules.ts'

it.each([
  ['7', '2026-11-25', ['2026-11-19', '2026-11-25'], ['2026-11-12', '2026-11-18']],
  ['90', '2026-03-01', ['2025-12-02', '2026-03-01'], ['2025-09-03', '2025-12-01']],
  // 22 November 2026 is a Sunday.
  ['week', '2026-11-21', ['2026-11-09', '2026-11-15'], ['2026-11-02', '2026-11-08']],
  ['week', '2026-11-22', ['2026-11-16', '2026-11-22'], ['2026-11-09', '2026-11-15']],
  ['week', '2026-11-23', ['2026-11-16', '2026-11-22'], ['2026-11-09', '2026-11-15']],
  ['month', '2026-11-25', ['2026-11-01', '2026-11-25'], ['2026-10-01', '2026-10-25']],
  // A complete month is compared with the whole month before.
  ['month', '2026-11-30', ['2026-11-01', '2026-11-30'], ['2026-10-01', '2026-10-31']],
  ['month', '2026-02-28', ['2026-02-01', '2026-02-28'], ['2026-01-01', '2026-01-31']],
  // The month before may lack the day.
  ['month', '2026-03-30', ['2026-03-01', '2026-03-30'], ['2026-02-01', '2026-02-28']],
  ['month', '2026-01-01', ['2026-01-01', '2026-01-01'], ['2025-12-01', '2025-12-01']],
] as const)('returns the period %s that ends on %s, and the one before', (period, through, [from, to], [fromBefore, toBefore]) => {
  expect(periodsOf(period, through)).toEqual({
    period: { from, through: to },
    before: { from: fromBefore, through: toBefore },
  })
})
