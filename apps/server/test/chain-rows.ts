import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../src/platform/db/database.ts'

/** Credit minimum. */
export const MIN_AMOUNT = ONE / 100n
/** Returns the minimum times a power of two, different per row, so that a sum identifies its rows. */
export const bit = (number: number): Units => MIN_AMOUNT << BigInt(number)
export const bits = (...numbers: number[]): Units => numbers.reduce((sum, number) => sum + bit(number), 0n)

/** For tests: inserts chain rows as the database owner. */
export function chainRows(db: Db, now: Date) {
  const write = (work: (tx: Tx) => Promise<unknown>) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await work(tx)
    })
  return {
    /** Returns the time some hours ago, plus milliseconds. */
    ago: (hours: number, ms = 0) => new Date(now.getTime() - hours * 3_600_000 + ms),
    write,
    forget: (...tables: string[]) => write((tx) => sql.raw(tables.map((table) => `delete from ${table}`).join('; ')).execute(tx)),
    /** Inserts a coin transfer with the amount `bit(number)`, final for a long time. */
    came: (number: number, more: object = {}) =>
      write((tx) =>
        tx
          .insertInto('chain_transfer')
          .values({
            chain_id: 1n,
            tx_hash: `0x${number}`,
            address: '0xa1',
            ordinal: 0,
            token: '0xc0',
            exact_amount: '1',
            amount: bit(number),
            block: 1n,
            block_time: new Date(now.getTime() - 30 * 3_600_000),
            state: 'FINAL',
            ...more,
          })
          .execute(),
      ),
    /** Inserts the deposit's row of the same transfer. */
    known: (number: number, more: object = {}) =>
      write((tx) =>
        tx
          .insertInto('invoice_transfer')
          .values({
            transfer_key: `1:0x${number}:0xc0:0xa1:0`,
            deposit_id: 1n,
            asset: 'COIN',
            amount: bit(number),
            tx_hash: '0x',
            block_time: now,
            confirmations: 12,
            ...more,
          })
          .execute(),
      ),
    credited: (when: Date) => ({ credited_at: when, usd_amount: 0n }),
    held: { held: 'TOO_LATE', held_at: now, usd_amount: 0n },
    /** Inserts invoices with these numbers, at addresses of the same numbers. */
    invoices: (memberId: bigint, count: number) =>
      write((tx) =>
        sql`insert into deposit (id, public_id, member_id, method, description, asset, amount, usd_amount, created_at, address, expires_at, watched_until,
            state)
          overriding system value select n, 'invoice-' || n, ${memberId}, 'chain', 'coin', 'COIN', 1, 0, ${now}::timestamptz, '0xa' || n,
          ${now}::timestamptz, ${now}::timestamptz, 'awaiting' from generate_series(1, ${count}::int) n`.execute(tx),
      ),
  }
}
