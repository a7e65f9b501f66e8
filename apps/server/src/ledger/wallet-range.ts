import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** Behind every transfer. */
export const MAX_TRANSFER_ID = 9_223_372_036_854_775_807n

/**
 * Finds an account's first transfer at or after a time, in order of ids, which is also the order of the balances. Each transfer is on one
 * side of the cut, so that consecutive periods add up.
 * @param afterId a transfer id before the time; 0 scans the whole account
 */
export async function cutOf(db: Db, account: bigint, at: Date, afterId: bigint): Promise<bigint> {
  const side = (column: 'debit_account' | 'credit_account') => sql`
    (select id from ledger_transfer where ${sql.ref(column)} = ${account} and id > ${afterId} and created_at >= ${at} order by id limit 1)`
  const { rows } = await sql<{ id: bigint | null }>`
    select min(id) as id from (${side('debit_account')} union all ${side('credit_account')}) first`.execute(db)
  return rows[0]?.id ?? MAX_TRANSFER_ID
}

/** Reads the last transfer of an account before a given transfer, with the account's balance; undefined if there is none. */
export async function lastBefore(db: Db, account: bigint, id: bigint): Promise<{ id: bigint; balance: Units } | undefined> {
  const { rows } = await sql<{ id: bigint; balance: bigint }>`
    select id, balance from (
      (select id, debit_balance_after as balance from ledger_transfer where debit_account = ${account} and id < ${id} order by id desc limit 1)
      union all
      (select id, credit_balance_after from ledger_transfer where credit_account = ${account} and id < ${id} order by id desc limit 1)) last
    order by id desc limit 1`.execute(db)
  return rows[0]
}

export interface Movement {
  id: bigint
  at: Date
  kind: string
  /** Signed units. */
  amount: Units
  balanceAfter: Units
  other: bigint
}

/** Reads the transfers of an account between two others, oldest first. */
export async function movementsBetween(
  db: Db,
  account: bigint,
  range: { after: bigint; upTo: bigint },
  limit: number,
): Promise<Movement[]> {
  const side = (own: 'debit' | 'credit', other: 'debit' | 'credit', sign: bigint) => sql`
    (select id, created_at as at, kind, ${sign}::bigint * amount as amount, ${sql.ref(`${own}_balance_after`)} as "balanceAfter",
      ${sql.ref(`${other}_account`)} as other
    from ledger_transfer where ${sql.ref(`${own}_account`)} = ${account} and id > ${range.after} and id <= ${range.upTo} order by id limit ${limit})`
  const { rows } = await sql<Movement>`
    select * from (${side('debit', 'credit', -1n)} union all ${side('credit', 'debit', 1n)}) moved order by id limit ${limit}`.execute(db)
  return rows
}
