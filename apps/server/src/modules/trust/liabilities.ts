import type { Units } from '@tizara/money'
import { type Asset, externalMoney, type SystemBalance, systemBalances } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { coverageOf } from '../rewards/index.ts'

/** The assets of the page, with their names in the ledger. */
const trustAssets = [
  { asset: 'usd', ledger: 'USD' },
  { asset: 'coin', ledger: 'COIN' },
] as const satisfies readonly { asset: 'usd' | 'coin'; ledger: Asset }[]

/** Amounts that the platform owes in one asset, in units. */
export interface Liabilities {
  asset: 'usd' | 'coin'
  /** Wallets of all members. */
  wallets: Units
  /** Members' amounts on hold, such as payouts under way. */
  holds: Units
  /** Rewards earned and not paid yet. */
  earned: Units
  /** Wallets, holds and earned rewards. */
  owed: Units
  /** Rewards that may become due. */
  promised: Units
  /** Reward pool balance. */
  pool: Units
  /** External money received and not paid out, by the books. In USD the reserves of the balance sheet; in coin the issued supply. */
  books: Units
}

/** Reads all liabilities. The page, the proof and the audit read them here. */
export async function readLiabilities(db: Db): Promise<Liabilities[]> {
  const accounts = await systemBalances(db)
  return Promise.all(
    trustAssets.map(async ({ asset, ledger }) => {
      const { pool, promised, owed: earned } = await coverageOf(db, ledger)
      const sum = (names?: readonly string[]) => sumOf(accounts, ledger, names)
      const holds = sum(['SYS-HOLD'])
      // All accounts sum to zero, so the members' sum is the negative sum of the system accounts.
      const wallets = -sum()
      return { asset, wallets, holds, earned, owed: wallets + holds + earned, promised, pool, books: externalMoney(accounts, ledger) }
    }),
  )
}

const sumOf = (accounts: readonly SystemBalance[], asset: Asset, names?: readonly string[]): Units =>
  accounts
    .filter((one) => one.asset === asset && (names === undefined || names.includes(one.system)))
    .reduce((total, one) => total + one.balance, 0n)
