import { formatUnits } from '@tizara/money'
import { accountOf } from '../src/ledger/chart-of-accounts.ts'
import type { Db, Tx } from '../src/platform/db/database.ts'

/**
 * Returns a member's wallet movements in order: each transfer of each posting that touched a wallet, as `buyToken: depositWallet →
 * SYS-SALES 8 USD`. Other members' wallets are `other’s depositWallet`.
 */
export async function movesOf(db: Db | Tx, memberId: bigint): Promise<string[]> {
  const inside = (column: 'debit_account' | 'credit_account') =>
    db
      .selectFrom('ledger_transfer')
      .select('posting_id')
      .where(column, '>=', memberId * 16n)
      .where(column, '<', (memberId + 1n) * 16n)
  const transfers = await db
    .selectFrom('ledger_transfer')
    .select(['kind', 'debit_account', 'credit_account', 'amount', 'asset'])
    .where('posting_id', 'in', inside('debit_account').union(inside('credit_account')))
    .where('kind', 'not in', ['testFunds', 'shardMove'])
    .orderBy('id')
    .execute()
  const name = (number: bigint) => {
    const account = accountOf(number)
    if ('system' in account) return account.system
    return account.owner === memberId ? account.kind : `other’s ${account.kind}`
  }
  return transfers.map(
    ({ kind, debit_account: from, credit_account: to, amount, asset }) =>
      `${kind}: ${name(from)} → ${name(to)} ${formatUnits(amount)} ${asset}`,
  )
}
