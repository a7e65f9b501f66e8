import { expect, it } from 'vitest'
import { staffReads } from '../bench/lib/staff-reads.ts'

// Fails if the console has a new read call with a path parameter that the benchmark does not time.
it('times every read call of the staff console', () => {
  const reads = staffReads({ transfers: 1_000_000, open: 10_000 })
  expect(reads.length).toBeGreaterThan(50)
  expect(reads.filter(({ path }) => path.includes(':') || path.includes('NaN'))).toEqual([])
})
