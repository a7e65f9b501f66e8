import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { balanceSheetOf } from '../../../ledger/index.ts'

const OUTFLOW_ACCOUNTS: readonly string[] = ['SYS-WITHDRAW', 'SYS-BRIDGE']

type Accounts = readonly { system: string; asset: string; balance: Units }[]

/** Units of one asset that came in and went out since launch. */
interface Flow {
  asset: Asset
  /** Members' deposits. */
  in: Units
  /** Payouts from the platform. */
  out: Units
}

/** Computes inflow and outflow from the system accounts. */
const flowsOf = (accounts: Accounts): Flow[] =>
  (['usd', 'coin'] as const).map((asset) => {
    const sum = (fits: (system: string) => boolean) =>
      accounts.reduce((total, row) => (row.asset === asset.toUpperCase() && fits(row.system) ? total + row.balance : total), 0n)
    return { asset, in: -sum((system) => system === 'SYS-DEPOSIT'), out: sum((system) => OUTFLOW_ACCOUNTS.includes(system)) }
  })

/** Computes the sums of a day: the balance sheet in USD, and the flows of each asset. */
export const sumsOf = (accounts: Accounts) => ({ sheet: balanceSheetOf(accounts), flows: flowsOf(accounts) })
