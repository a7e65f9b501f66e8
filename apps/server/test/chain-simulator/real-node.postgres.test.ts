import { expect, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../test/search.ts'
import { playSequence } from './simulator.ts'

it(
  '[I7] [I8] books each unit of a real chain node once through failing sources, reorgs, ended processes and restored backups',
  { timeout: searchTimeout(120_000) },
  async () => {
    expect(await searchFor('chain simulator with anvil', { short: 1, parallel: 2 }, (seed) => playSequence(seed, 'anvil'))).toBeGreaterThan(
      0,
    )
  },
)
