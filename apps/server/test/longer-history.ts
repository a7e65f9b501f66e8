import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** SQL condition of the completed rows to copy, for each table that grows with use. */
const HISTORY: Readonly<Record<string, string>> = {
  ledger_transfer: "kind <> 'issue'",
  ledger_reversal: 'true',
  coin_purchase: 'true',
  stake: "status <> 'ACTIVE'",
  wallet_exchange: 'true',
  payout_request: "status <> 'PENDING'",
  deposit: "status <> 'PENDING'",
  provider_payment: 'true',
  payment_credit: 'true',
  reward_source: 'processed = steps or reversed_at is not null',
  reward_instant: "status not in ('held', 'owed')",
  reward_day: "status = 'DONE'",
  reward_run: 'finished_at is not null',
  reward_payment: 'paid = total',
  reward_credit: 'true',
  reward_accrual: 'true',
  audit_event: "action <> 'ledger.close'",
}
/** Id columns for a copy to renumber. Member, plan and version ids stay. */
const NUMBERS = /^(id|posting_id|transfer_id|hold_id|resolves|run_id|source_id|cause_id|reverses|reversed_by|deposit_id)$/
const NAMES = /^(public_id|key|payment_id|cause_public_id|proposal_id|address|step_up_digest|idempotency_key)$/

/**
 * Copies the history of an instance, each copy shifted by some days. The copies do not match balances: they serve to count reads
 * over a long history only.
 * @param copies numbers of the copies, starting at 1
 */
export async function lengthenHistory(db: Db, copies: readonly number[], days: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`create schema if not exists first_rows`.execute(tx)
    for (const [table, which] of Object.entries(HISTORY)) {
      const columns = await sql<{ name: string; type: string }>`
        select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`.execute(tx)
      await sql.raw(`create table if not exists first_rows.${table} as select * from public.${table} where ${which}`).execute(tx)
      const names = columns.rows.map(({ name }) => name).join(', ')
      for (const copy of copies) {
        const values = columns.rows.map((column) => valueIn(column, copy, days)).join(', ')
        await sql.raw(`insert into ${table} (${names}) overriding system value select ${values} from first_rows.${table}`).execute(tx)
      }
      // Advances the sequence, because later rows have higher ids.
      if (columns.rows.some(({ name, type }) => name === 'id' && type === 'bigint'))
        await sql.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`).execute(tx)
    }
  })
}

function valueIn({ name, type }: { name: string; type: string }, copy: number, days: number): string {
  if (type === 'timestamp with time zone') return `${name} + interval '${copy * days} days'`
  if (type === 'date') return `${name} + ${copy * days}`
  if (type === 'bigint' && NUMBERS.test(name)) return `${name} + ${copy} * 1000000`
  if (type === 'text' && NAMES.test(name)) return `${name} || '-${copy}'`
  return name
}

/** Counts the rows read by work on a connection, including reads in functions. */
export async function rowsRead(tx: Db, work: () => Promise<unknown>): Promise<number> {
  const read = async () =>
    Number(
      (
        await sql<{
          rows: bigint
        }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables`.execute(tx)
      ).rows[0]?.rows ?? 0n,
    )
  const before = await read()
  await work()
  return (await read()) - before
}
