import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { anything } from '../../test/money-attackers.ts'
import { moneyGame } from '../../test/money-game.ts'
import { moves } from '../../test/money-moves.ts'
import { ATTACKERS, season } from '../../test/money-season.ts'
import { movesByWire } from '../../test/money-wire.ts'

/** Whoever the search of the use cases (`no-free-money.test.ts`) knows with the best ways; they differ by what they call. */
const BEST = [
  'wash trade',
  'sent and taken back',
  'account after account',
  'puppet chain',
  'out and in',
  'sold outside',
  'all at once',
  'change of mind',
]

it('[RW-14] [I19] lets no group gain more over HTTP, with sessions, confirmations and two of staff, than its money earns', async () => {
  const game = await moneyGame(await testDatabase(), { playing: movesByWire })
  const attackers = ATTACKERS.filter(({ name }) => BEST.includes(name))
  const random = { name: 'anything', people: 4, play: anything(3) }
  expect(await season(game, 13, [...attackers, random])).toEqual({ rich: [], richer: [], damage: [] })
  const rare = ['gift', 'sellRcm', 'convert', 'reject']
  const never = Object.keys(moves).filter((move) => !rare.includes(move) && Reflect.get(game.done, move) === undefined)
  // A search that is always refused proves nothing.
  expect(never, JSON.stringify(game.done)).toEqual([])
}, 300_000)
