import { sql } from 'kysely'
import { accountOf, assetOf } from '../../src/ledger/chart-of-accounts.ts'
import { accountKey } from './oracle.ts'
import type { World } from './world.ts'

/** New transfer, or used account. */
type Row =
  | { kind: 'transfer'; id: bigint; debit: bigint; credit: bigint; amount: bigint; debit_after: bigint; credit_after: bigint }
  | { kind: 'account'; id: bigint; debit: bigint; credit: bigint; amount: null; debit_after: null; credit_after: null }

/**
 * Builds the check after each step, which reads accounts and new transfers, and
 * - folds every account and compares it with each stored balance, version and balance after (I2, I3),
 * - sums every asset (I1), and finds members and guarded accounts below 0 (I2),
 * - compares every balance with the oracle (I4, I5).
 */
export async function createChecker(world: World): Promise<() => Promise<void>> {
  const fold = new Map<bigint, { balance: bigint; entries: bigint }>()
  let last = 0n
  const enter = (account: bigint, amount: bigint, after: bigint, id: bigint) => {
    const known = fold.get(account) ?? { balance: 0n, entries: 0n }
    const balance = known.balance + amount
    if (balance !== after) throw new Error(`I3: transfer ${id} leaves ${after} on account ${account}, the fold says ${balance}`)
    if (account > 0n && balance < 0n) throw new Error(`I2: account ${account} fell to ${balance}`)
    fold.set(account, { balance, entries: known.entries + 1n })
  }
  return async () => {
    const found = await sql<Row>`
      select 'transfer' as kind, id, debit_account as debit, credit_account as credit, amount, debit_balance_after as debit_after, credit_balance_after as credit_after
      from ledger_transfer where id > ${last}
      union all select 'account', id, balance, version, null, null, null from ledger_account where version <> 0 or balance <> 0
      order by kind desc, id`.execute(world.db)
    for (const row of found.rows) {
      if (row.kind === 'account') continue
      enter(row.debit, -row.amount, row.debit_after, row.id)
      enter(row.credit, row.amount, row.credit_after, row.id)
      last = row.id
    }
    const totals = new Map<string, bigint>()
    const sums = new Map<string, bigint>()
    for (const row of found.rows) {
      if (row.kind === 'transfer') continue
      const { id, debit: balance, credit: version } = row
      const folded = fold.get(id)
      if (folded?.balance !== balance || folded.entries !== version)
        throw new Error(`I2: account ${id} holds ${balance}, the fold says ${folded?.balance}`)
      const account = accountOf(id)
      totals.set(accountKey(account), (totals.get(accountKey(account)) ?? 0n) + balance)
      sums.set(assetOf(account), (sums.get(assetOf(account)) ?? 0n) + balance)
    }
    for (const [asset, sum] of sums) if (sum !== 0n) throw new Error(`I1: ${asset} adds up to ${sum}`)
    for (const [name, total] of totals) {
      const expected = world.oracle.balances().get(name) ?? 0n
      if (total !== expected) throw new Error(`${name} holds ${total}, expected ${expected}`)
    }
    for (const [name, expected] of world.oracle.balances()) {
      if (!totals.has(name)) throw new Error(`${name} holds nothing, expected ${expected}`)
    }
  }
}
