import { expect, it } from 'vitest'
import { coverText } from './vital-signs.ts'

const percent = (value: bigint) => value * 100_000_000n

it('shows a cover in percent up to ten times, and in words above', () => {
  expect(coverText(percent(112n), 0)).toEqual({ value: '112', unit: '%' })
  expect(coverText(percent(1_000n), 0)).toEqual({ value: '1,000', unit: '%' })
  expect(coverText(percent(1_000n) + 1n, 0)).toEqual({ value: 'fully covered' })
  expect(coverText(percent(78_377n), 1)).toEqual({ value: 'fully covered' })
  expect(coverText(null, 1)).toEqual({ value: '–' })
})
