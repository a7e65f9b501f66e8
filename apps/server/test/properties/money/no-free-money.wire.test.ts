import { expect, it } from 'vitest'
import { longSearch, searchFor, searchTimeout } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { anything } from '../../money-attackers.ts'
import { moneyGame } from '../../money-game.ts'
import { moves } from '../../money-moves.ts'
import { ATTACKERS, season } from '../../money-season.ts'
import { movesByWire } from '../../money-wire.ts'

/**
 * Strongest attackers from the use case search (`no-free-money.test.ts`). They differ in their calls, and the first five make every move.
 */
const BEST = [
  'sent and taken back',
  'out and in',
  'change of mind',
  'sold outside',
  'all at once',
  'wash trade',
  'account after account',
  'puppet chain',
]

it(
  '[RW-14] [I19] finds no group that gains more than its money earns over HTTP, with sessions, confirmations and two staff members',
  async () => {
    const played = longSearch ? BEST : BEST.slice(0, 5)
    const attackers = ATTACKERS.filter(({ name }) => played.includes(name))
    const done = new Set<string>()
    await searchFor('seasons of money over HTTP', { short: 1 }, async (seed) => {
      const game = await moneyGame(await testDatabase(), { playing: movesByWire })
      // Seed 3 covers the moves that other groups may not make.
      const random = [...new Set([3, seed + 2])].map((drawn) => ({ name: `anything ${drawn}`, people: 4, play: anything(drawn) }))
      expect(await season(game, 13, [...attackers, ...random])).toEqual({ rich: [], richer: [], damage: [] })
      for (const move of Object.keys(game.done)) done.add(move)
    })
    const rare = ['gift', 'sellRcm', 'convert', 'reject']
    // A search with refusals only proves nothing.
    expect(Object.keys(moves).filter((move) => !rare.includes(move) && !done.has(move))).toEqual([])
  },
  searchTimeout(300_000),
)
