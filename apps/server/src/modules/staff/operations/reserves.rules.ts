import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'

/** System accounts for money from or to the outside. They owe deposits and hold payouts. */
const BORDER: readonly string[] = ['SYS-ISSUE', 'SYS-DEPOSIT', 'SYS-WITHDRAW', 'SYS-BRIDGE', 'SYS-OPERATOR', 'SYS-GAS']
const OUT: readonly string[] = ['SYS-WITHDRAW', 'SYS-BRIDGE']

/** The platform's sums in one asset, in units. */
interface SystemSums {
  asset: Asset
  /** Members' balances, including pending payouts. */
  liabilities: Units
  /** Money received from outside and not paid out again. */
  reserves: Units
  /** Members' deposits, and payouts from the platform, since launch. */
  in: Units
  out: Units
}

/** Computes the sums from the system accounts. Every transfer balances, so members hold the difference. */
export function sumsOf(accounts: readonly { system: string; asset: string; balance: Units }[]): SystemSums[] {
  return (['usd', 'coin'] as const).map((asset) => {
    const own = accounts.filter((row) => row.asset === asset.toUpperCase())
    const sum = (fits: (system: string) => boolean) => own.reduce((total, row) => (fits(row.system) ? total + row.balance : total), 0n)
    return {
      asset,
      liabilities: -sum((system) => system !== 'SYS-HOLD'),
      reserves: -sum((system) => BORDER.includes(system)),
      in: -sum((system) => system === 'SYS-DEPOSIT'),
      out: sum((system) => OUT.includes(system)),
    }
  })
}
