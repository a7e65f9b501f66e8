import { expect, it } from 'vitest'
import { staffReads } from '../bench/lib/staff-reads.ts'

// A new call with a part in its address is otherwise found by nobody before the next time that the bench is run.
it('times each read of the staff console', () => {
  const reads = staffReads({ transfers: 1_000_000, open: 10_000 })
  expect(reads.length).toBeGreaterThan(50)
  expect(reads.filter(({ path }) => path.includes(':') || path.includes('NaN'))).toEqual([])
})
