import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'

/** What crossed the border of the house: these accounts owe what came in and hold what went out. */
const BORDER: readonly string[] = ['SYS-ISSUE', 'SYS-DEPOSIT', 'SYS-WITHDRAW', 'SYS-BRIDGE', 'SYS-OPERATOR', 'SYS-GAS']
const OUT: readonly string[] = ['SYS-WITHDRAW', 'SYS-BRIDGE']

/** How the house stands in an asset; units. */
interface HouseSums {
  asset: Asset
  /** What members hold, payouts on their way included. */
  liabilities: Units
  /** What came in from outside and has not left again. */
  reserves: Units
  /** What members paid in, and what left the house, since its start. */
  in: Units
  out: Units
}

/**
 * The sums out of the balances of the house's own accounts: as every transfer balances, the members' part is what these lack.
 */
export function sumsOf(accounts: readonly { house: string; asset: string; balance: Units }[]): HouseSums[] {
  return (['usd', 'coin'] as const).map((asset) => {
    const own = accounts.filter((row) => row.asset === asset.toUpperCase())
    const sum = (fits: (house: string) => boolean) => own.reduce((total, row) => (fits(row.house) ? total + row.balance : total), 0n)
    return {
      asset,
      liabilities: -sum((house) => house !== 'SYS-HOLD'),
      reserves: -sum((house) => BORDER.includes(house)),
      in: -sum((house) => house === 'SYS-DEPOSIT'),
      out: sum((house) => OUT.includes(house)),
    }
  })
}
