import { allRoutes } from '@tizara/contract/all-routes'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { searchFor, searchTimeout } from '../../../../../test/search.ts'
import { testDatabase } from '../../../test/database.ts'
import { anything } from '../../../test/money-attackers.ts'
import { BRIDGE_FEE, type Game, HOLD_DAYS, moneyGame } from '../../../test/money-game.ts'
import { MOVES_OF_CALLS } from '../../../test/money-moves.ts'
import { ATTACKERS, bounds, season } from '../../../test/money-season.ts'
import { returnNewMoney } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { reverseReferrals } from './instant/reverse-referrals.ts'
import { addProgramme } from './pool/add-programme.ts'

/** Faults that tests plant in the code, one at a time. */
const flaw = vi.hoisted(() => ({ now: 'none' }))

vi.mock(import('./instant/on-coin-bought.ts'), async (original) => {
  const real = await original()
  return {
    onCoinBought: (tx, at, terms, purchases) =>
      real.onCoinBought(tx, at, terms, flaw.now === 'no netting' ? purchases.map((one) => ({ ...one, newMoney: one.charged })) : purchases),
  }
})
vi.mock(import('./instant/reverse-referrals.ts'), async (original) => {
  const real = await original()
  const keeps = () => flaw.now === 'no netting' || flaw.now === 'a sale of held coin'
  return { ...real, reverseReferrals: async (tx, given) => (keeps() ? [] : real.reverseReferrals(tx, given)) }
})
vi.mock(import('./instant/new-money.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    onCoinSold: async (tx, at, sales) => {
      if (flaw.now !== 'sales that make new money') return real.onCoinSold(tx, at, sales)
      await reverseReferrals(tx, { coins: new Map(sales.map((one) => [one.memberId, one.coin])), at })
      await returnNewMoney(tx, new Map(sales.map((one) => [one.transferId, one.usd])))
    },
  }
})
vi.mock(import('@tizara/money'), async (original) => {
  const real = await original()
  return {
    ...real,
    usdForCoin: (coin, price) => real.usdForCoin(coin, price) + (flaw.now === 'a rounding for the member' ? 1n : 0n),
    quoteWithdrawal: (amount, platform, network) => {
      const quote = real.quoteWithdrawal(amount, platform, network)
      return flaw.now === 'a fee for the member' ? { ...quote, platformFee: quote.platformFee - 1n, received: quote.received + 1n } : quote
    },
  }
})

const only = (name: string) => ATTACKERS.filter((one) => one.name === name)

/** Groups per season with random moves, each with its own seed. */
const RANDOM_GROUPS = 12
/** A season takes about 20 seconds, and the tests with planted faults play it too. A short run plays one. */
const SEASONS = { short: 1 }
const changeRules = (game: Game, rules: Parameters<typeof addProgramme>[1]['rules']) => {
  const at = game.clock.now()
  return inTransaction(game.db, (tx) => addProgramme(tx, { rules, at, startsAt: at, reason: 'test', by: null }))
}

afterEach(() => {
  flaw.now = 'none'
})

it('the simulator has a move for every call that moves money', () => {
  const calls = allRoutes.filter((route) => route.money === true).map((route) => route.name)
  expect(calls.toSorted()).toEqual(Object.keys(MOVES_OF_CALLS).toSorted())
})

describe('arbitrage search', () => {
  it(
    '[RW-14] [I19] finds no group that gains more than its money earns, whatever it does and however long it waits',
    async () => {
      await searchFor('seasons of money', SEASONS, async (seed) => {
        const game = await moneyGame(await testDatabase())
        const anyone = Array.from({ length: RANDOM_GROUPS }, (_, index) => (seed - 1) * RANDOM_GROUPS + index + 1)
        const random = anyone.map((drawn) => ({ name: `anything ${drawn}`, people: 5, play: anything(drawn) }))
        expect(await season(game, 40, [...ATTACKERS, ...random])).toEqual({ rich: [], richer: [], damage: [] })
        // Each move must have succeeded: a search whose moves are all refused proves nothing.
        const wanted = [
          'reverseTransfer' as const,
          ...Object.values(MOVES_OF_CALLS).flatMap((played) => (typeof played === 'string' ? [] : played)),
        ]
        expect(
          wanted.filter((move) => (game.done[move] ?? 0) < 3),
          JSON.stringify(game.done),
        ).toEqual([])
      })
    },
    searchTimeout(300_000),
  )

  it.each([
    ['no netting', 'wash trade', 3],
    ['sales that make new money', 'account after account', 23],
  ])(
    '[RW-14] finds %s',
    async (planted, who, days) => {
      for (flaw.now of ['none', planted]) {
        const { rich } = await season(await moneyGame(await testDatabase()), days, only(who))
        expect(rich.map((one) => one.split(':')[0])).toEqual(flaw.now === 'none' ? [] : [who])
      }
    },
    120_000,
  )

  it('[RW-14] finds no gain from rewards that stay owed until funding', async () => {
    const game = await moneyGame(await testDatabase(), { funded: false })
    const random = [101, 102].map((seed) => ({ name: `anything ${seed}`, people: 5, play: anything(seed) }))
    const named = ['wash trade', 'puppet chain', 'all at once'].flatMap(only)
    const found = await season(game, 15, [...named, ...random], { afterwards: game.fundPools })
    expect(found).toEqual({ rich: [], richer: [], damage: [] })
  })

  it('[RW-14] finds the loss of a bridge without a fee, which the maximum gain includes', async () => {
    for (const counted of [BRIDGE_FEE, 0n]) {
      const game = await moneyGame(await testDatabase(), { bridgeFeePercent: 0n })
      const { rich } = await season(game, 35, only('sold outside'), { bound: await bounds(game, counted) })
      expect(rich).toHaveLength(counted === 0n ? 0 : 1)
    }
  })

  it('[RW-14] finds a hold of 0 days', async () => {
    const game = await moneyGame(await testDatabase(), { holdDays: 0 })
    expect((await season(game, 1, only('wash trade'))).richer.join(' ')).toContain('the worker')
  })

  it('[RW-14] [RW-02] finds the full level share on a 15-day plan', async () => {
    for (const fullLevelShareDays of [365, 15]) {
      const game = await moneyGame(await testDatabase())
      await changeRules(game, { fullLevelShareDays })
      const { rich } = await season(game, 1, only('puppet chain of long stakes'))
      expect(rich.length).toBe(fullLevelShareDays === 15 ? 1 : 0)
    }
  })

  it('[RW-14] finds a sale of held coin that reverses no reward', async () => {
    flaw.now = 'a sale of held coin'
    const { damage } = await season(await moneyGame(await testDatabase()), 2, only('wash trade'))
    expect(damage.join(' ')).toContain('reversed its part of the reward')
  })

  it('[RW-14] [I19] finds the smallest rounding in favor of the member', async () => {
    flaw.now = 'a rounding for the member'
    const { richer } = await season(await moneyGame(await testDatabase()), 1, only('wash trade'))
    expect(richer.join(' ')).toContain('wash trade: sell by')
  })

  it('[RW-14] [I19] finds a fee rounded in favor of the member', async () => {
    flaw.now = 'a fee for the member'
    const { damage } = await season(await moneyGame(await testDatabase()), HOLD_DAYS + 1, only('out and in'))
    expect(damage.join(' ')).toContain('the fees of a payout are those of the settings')
  })
})
