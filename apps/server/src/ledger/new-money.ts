import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/database.ts'
import { walletId } from './chart-of-accounts.ts'

/* New money (RW-01) is the part of a deposit wallet's balance from confirmed USD deposits without a referral reward so far.
   `ledger_post` moves it with every transfer. Reasons: docs/decisions/0028-new-money.md. */

/** Returns the new money in a member's deposit wallet, in USD units. */
export async function newMoneyIn(db: Db, memberId: bigint): Promise<Units> {
  const found = await sql<{ newMoney: Units }>`
    select new_money as "newMoney" from ledger_account where id = ${walletId(memberId, 'depositWallet')}`.execute(db)
  return found.rows[0]?.newMoney ?? 0n
}

/**
 * Returns the new-money part of a transfer.
 * @returns USD units; 0 for a missing transfer
 */
export async function newMoneyOf(db: Db, transferId: bigint): Promise<Units> {
  const found = await sql<{ newMoney: Units | null }>`
    select new_money as "newMoney" from ledger_transfer where id = ${transferId}`.execute(db)
  return found.rows[0]?.newMoney ?? 0n
}

/**
 * Marks USD that has just arrived in deposit wallets as new money again.
 * @param tx the transaction that posted the transfers and locks the wallets
 * @param returned USD units by transfer id, at most the transfer's amount
 */
export async function returnNewMoney(tx: Tx, returned: ReadonlyMap<bigint, Units>): Promise<void> {
  const real = [...returned].filter(([, amount]) => amount > 0n)
  if (real.length === 0) return
  await sql`select ledger_return_new_money(${real.map(([id]) => id)}::bigint[], ${real.map(([, amount]) => amount)}::bigint[])`.execute(tx)
}

/**
 * Records the new-money debt of a reversed deposit. The wallet's next deposits pay the debt first.
 * @param tx the transaction that posted the reversal
 * @param returned USD units returned by pending referral rewards
 */
export async function recordNewMoneyDebt(tx: Tx, reversalId: bigint, returned: Units): Promise<void> {
  await sql`select ledger_owe_new_money(${reversalId}, ${returned})`.execute(tx)
}
