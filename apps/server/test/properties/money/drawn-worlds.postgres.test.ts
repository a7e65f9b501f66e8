import { expect, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { playWorld } from '../../money-world.ts'

const STEPS = 25

it(
  '[RW-14] [I19] keeps promises, deposits and prices within their limits in drawn worlds, whatever members and staff call',
  async () => {
    const done = new Map<string, number>()
    await searchFor('drawn worlds of money', { short: 2 }, async (seed) => {
      expect(await playWorld(await testDatabase(), seed, STEPS, done)).toEqual([])
    })
    // A search with refusals only proves nothing.
    expect(done.size).toBeGreaterThan(4)
  },
  searchTimeout(300_000),
)
