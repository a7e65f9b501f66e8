import { sql } from 'kysely'
import { DAY_MS } from '../platform/runtime/clock.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import type { AuditCheck } from './audit.ts'

/** Delay in ms before a month is closed: server clocks differ, and staff may want to check first. */
const CLOSE_DELAY_MS = DAY_MS

/** A month due for its close (docs/decisions/0021-period-close.md). */
export interface DueClose {
  /** First day of the month, `YYYY-MM-DD`, UTC. */
  month: string
  /** Last transfer of the month among the transfers visible now. */
  lastId: bigint
  /** While database transactions from before this mark are open, a transfer with a lower id may still be committed. */
  mark: bigint
}

/** Returns the oldest ended month without a close; undefined if none. */
export async function dueClose(db: Db, now: Date): Promise<DueClose | undefined> {
  const found = await sql<DueClose>`
    with newest as (select max(month) as month, coalesce(max(last_id), 0) as last_id from ledger_close),
    due as (
      select coalesce((month + interval '1 month')::date,
        (select date_trunc('month', created_at at time zone 'UTC')::date from ledger_transfer order by id limit 1)) as month, last_id from newest)
    select month, ledger_last_before(last_id, (month + interval '1 month') at time zone 'UTC') as "lastId",
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as mark
    from due where (month + interval '1 month') at time zone 'UTC' <= ${new Date(now.getTime() - CLOSE_DELAY_MS)}`.execute(db)
  return found.rows[0]
}

/** Returns true once all transactions from before a mark have ended. Transactions draw ids, so ids commit out of order. */
export async function isSettled(db: Db, mark: bigint): Promise<boolean> {
  const found = await sql<{ settled: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= ${mark} as settled`.execute(db)
  return found.rows[0]?.settled === true
}

/**
 * Closes a month.
 * @returns the close, for the audit log
 */
export async function closeMonth(tx: Tx, { month, lastId }: DueClose, at: Date): Promise<string> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true)`.execute(tx)
  const close = await sql<{ hash: string }>`select ledger_close_month(${month}::date, ${lastId}::bigint, ${at}) as hash`.execute(tx)
  return close.rows[0]?.hash ?? ''
}

/** SQL: true if the transfers of close `s` no longer match its hash. */
const HAS_CHANGED = `(s.transfers_hash <> ledger_transfers_hash(s.after_id, s.last_id)
  or s.transfers <> (select count(*) from ledger_transfer t where t.id > s.after_id and t.id <= s.last_id))`

/** Audit checks of period closes: the hash chain on each run, and the covered rows in a full audit. */
export const closeChecks: readonly AuditCheck[] = [
  {
    invariant: 'I3',
    title: 'period closes follow each other, and the newest one matches every balance',
    sql: `select s.month, s.close_hash from (select *, lag(close_hash, 1, '') over w as hash_before, lag(last_id, 1, 0::bigint) over w as id_before,
          lag(month) over w as month_before from ledger_close window w as (order by month)) s
        where s.previous <> s.hash_before or s.after_id <> s.id_before or s.month <> s.month_before + interval '1 month'
          or s.close_hash <> ledger_close_text(s.month, s.after_id, s.last_id, s.transfers, s.transfers_hash, s.balances_hash, s.previous)
      union all
      select n.month, n.close_hash from (select * from ledger_close order by month desc limit 1) n where n.balances_hash <> ledger_balances_hash()
      union all
      select null, b.account::text from ledger_closed_balance b where not exists (select from ledger_close)`,
  },
  {
    invariant: 'I3',
    title: 'closed months have the transfers of their close, and closed balances are the sums of them',
    // Checks only the closed month in rotation.
    afterClose: {
      within: ({ month }) =>
        month === undefined ? 'select where false' : `select month from ledger_close s where month = '${month}' and ${HAS_CHANGED}`,
    },
    sql: `select s.month, s.last_id from ledger_close s
        where ${HAS_CHANGED}
      union all
      select null, coalesce(b.account, f.account) from ledger_closed_balance b full join (
        select account, sum(amount) as balance, count(*) as version from (
          select debit_account as account, -amount::numeric as amount from ledger_transfer where id <= (select max(last_id) from ledger_close)
          union all select credit_account, amount from ledger_transfer where id <= (select max(last_id) from ledger_close)) e group by account) f
        on f.account = b.account where b.balance is distinct from f.balance or b.version is distinct from f.version`,
  },
]
