import { expect, it } from 'vitest'
import { balanceSheetOf } from './balance-sheet.ts'

const usd = (system: string, balance: bigint) => ({ system, asset: 'USD', balance })

it('[RW-13] counts the reward pool and holds as liabilities, and coin of the platform as no reserve', () => {
  const accounts = [usd('SYS-DEPOSIT', -1000n), usd('SYS-WITHDRAW', 200n), usd('SYS-OPERATOR', -300n), usd('SYS-GAS', 1n)]
  const kept = [usd('SYS-HOLD', 50n), usd('SYS-REWARD', 120n), usd('SYS-SALES', 80n), usd('SYS-FEE', 9n)]
  const coin = [
    { system: 'SYS-COIN', asset: 'COIN', balance: 9_000_000n },
    { system: 'SYS-ISSUE', asset: 'COIN', balance: -9_000_000n },
  ]
  expect(balanceSheetOf([...accounts, ...kept, ...coin])).toEqual({
    reserves: 1099n,
    members: 840n,
    held: 50n,
    rewardPool: 120n,
    liabilities: 1010n,
    free: 89n,
  })
})

it('[RW-13] falls below zero only by a booked loss', () => {
  const { free } = balanceSheetOf([usd('SYS-DEPOSIT', -100n), usd('SYS-SALES', 30n), usd('SYS-LOSS', -40n)])
  expect(free).toBe(-10n)
})
