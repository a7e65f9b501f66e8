import type { Units } from '@tizara/money'
import type { Asset } from './chart-of-accounts.ts'

/** The platform's balance sheet in USD, in units. `liabilities` + `free` = `reserves`, because all transfers balance. */
export interface BalanceSheet {
  /** USD that the platform holds: payments in and the operator's own money, less payouts, network fees and lost deposits. */
  reserves: Units
  /** USD owed: wallets of members, holds with payouts under way, and the reward pool. */
  liabilities: Units
  members: Units
  held: Units
  rewardPool: Units
  /** Fees and the sales fund, less losses and imported balances. Below zero only by these (SYS-LOSS, SYS-IMPORT). */
  free: Units
}

type Accounts = readonly { system: string; asset: string; balance: Units }[]

/** Accounts of money from or to the outside. */
const BORDER = ['SYS-DEPOSIT', 'SYS-WITHDRAW', 'SYS-BRIDGE', 'SYS-OPERATOR', 'SYS-GAS', 'SYS-ISSUE']

const sumOf = (accounts: Accounts, asset: Asset, fits: (system: string) => boolean): Units =>
  accounts.reduce((total, row) => (row.asset === asset && fits(row.system) ? total + row.balance : total), 0n)

/** Returns money from outside minus money paid out, in units. For coin this is the issued supply, which is no reserve. */
export const externalMoney = (accounts: Accounts, asset: Asset): Units => -sumOf(accounts, asset, (system) => BORDER.includes(system))

/**
 * Computes the balance sheet from the USD balances of the system accounts. All accounts sum to zero, so the remaining USD belongs to
 * members. Coin is not included, because the platform issued the coin (docs/decisions/0036-one-balance-sheet.md).
 */
export function balanceSheetOf(accounts: Accounts): BalanceSheet {
  const balanceOf = (name: string) => sumOf(accounts, 'USD', (system) => system === name)
  const [held, rewardPool] = [balanceOf('SYS-HOLD'), balanceOf('SYS-REWARD')]
  const members = -sumOf(accounts, 'USD', () => true)
  const reserves = externalMoney(accounts, 'USD')
  const liabilities = members + held + rewardPool
  return { reserves, liabilities, members, held, rewardPool, free: reserves - liabilities }
}
