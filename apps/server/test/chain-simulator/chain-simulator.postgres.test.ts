import { expect, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../test/search.ts'
import { playSequence } from './simulator.ts'

it(
  '[I7] [I8] books each unit of the chain once through failing sources, reorgs, ended processes and restored backups',
  { timeout: searchTimeout(300_000) },
  async () => {
    expect(await searchFor('chain simulator', { short: 2, parallel: 4 }, (seed) => playSequence(seed, 'fake'))).toBeGreaterThan(0)
  },
)
