import { expect, it } from 'vitest'
import { coverageText } from './platform-status.ts'

const percent = (value: bigint) => value * 100_000_000n

it('shows the coverage in percent up to ten times, and in words above', () => {
  expect(coverageText(percent(112n), 0)).toEqual({ value: '112', unit: '%' })
  expect(coverageText(percent(1_000n), 0)).toEqual({ value: '1,000', unit: '%' })
  expect(coverageText(percent(1_000n) + 1n, 0)).toEqual({ value: 'fully covered' })
  expect(coverageText(percent(78_377n), 1)).toEqual({ value: 'fully covered' })
  expect(coverageText(null, 1)).toEqual({ value: '–' })
})
