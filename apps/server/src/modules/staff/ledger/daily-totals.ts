import { sql } from 'kysely'
import type { Units } from '@tizara/money'
import { knownAccount, shardsOfAccount } from '../../../ledger/index.ts'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** Days written per transaction, which reads their transfers. */
const DAYS_A_PASS = 15
/** Days in a flow, including today. */
const FLOW_DAYS = 30
/** Maximum number of transfers summed per account and request. Older flows come from the daily totals or are omitted. */
const MAX_TRANSFERS = 5000

/** SQL: reads each system account's closing balance for days without totals. It costs a few index lookups per account. */
export const BALANCES_ON_DAYS = sql`select to_char(d.day, 'YYYY-MM-DD') as day, a.kind as system, a.asset, sum(coalesce(last.balance, 0))::bigint as balance
  from wallet_day d
  cross join (select id, kind, asset from ledger_account where id < 0) a
  left join lateral (
    select side.balance from (
      (select id, debit_balance_after as balance from ledger_transfer
        where debit_account = a.id and id <= d.last_transfer_id order by id desc limit 1)
      union all
      (select id, credit_balance_after from ledger_transfer
        where credit_account = a.id and id <= d.last_transfer_id order by id desc limit 1)) side
    order by side.id desc limit 1) last on true
  where not exists (select from daily_total h where h.day = d.day)`

/** SQL: sums each system account's inflow and outflow between two days' ends. */
const FLOW_ON_DAYS = sql`select d.day, a.kind as system, a.asset, sum(line.came_in)::bigint as came_in, sum(line.went_out)::bigint as went_out
  from wallet_day d
  left join lateral (select last_transfer_id from wallet_day w where w.day < d.day order by w.day desc limit 1) before on true
  cross join lateral (
    select credit_account as account, amount as came_in, 0 as went_out from ledger_transfer
    where id > coalesce(before.last_transfer_id, 0) and id <= d.last_transfer_id and credit_account < 0 and kind <> 'shardMove'
    union all
    select debit_account, 0, amount from ledger_transfer
    where id > coalesce(before.last_transfer_id, 0) and id <= d.last_transfer_id and debit_account < 0 and kind <> 'shardMove') line
  join ledger_account a on a.id = line.account`

/**
 * Saves the closing balances and flows of the system accounts for past days, so that the cost of the overview does not depend on the range.
 * @returns the number of saved rows
 */
export async function writeDailyTotals(tx: Tx, now: Date): Promise<number> {
  const missing = sql`(select w.day from wallet_day w
    where w.day < ${utcDay(now)}::date and not exists (select from daily_total h where h.day = w.day) order by w.day desc limit ${DAYS_A_PASS})`
  const written = await sql`insert into daily_total (day, system, asset, balance, came_in, went_out)
    select stood.day::date, stood.system, stood.asset, stood.balance, coalesce(moved.came_in, 0), coalesce(moved.went_out, 0)
    from (${BALANCES_ON_DAYS} and d.day in ${missing} group by d.day, a.kind, a.asset) stood
    left join (${FLOW_ON_DAYS} where d.day in ${missing} group by d.day, a.kind, a.asset) moved
      on moved.day = stood.day::date and moved.system = stood.system and moved.asset = stood.asset
    on conflict do nothing`.execute(tx)
  return Number(written.numAffectedRows ?? 0n)
}

/** An account's inflow and outflow in the last 30 UTC days, including today. */
export interface AccountFlow {
  /** First day, `2026-10-24`. */
  from: string
  in: Units
  out: Units
  /** Last day included, for an account with too many later transfers. */
  to?: string
}

/**
 * Reads an account's flow. System accounts use daily totals plus later transfers; wallets use their transfers.
 * @param max maximum transfers to sum
 * @returns undefined for a wallet with more transfers
 */
export async function flowOf(db: Db, number: bigint, now: Date, max = MAX_TRANSFERS): Promise<AccountFlow | undefined> {
  const account = knownAccount(number)
  if (account === undefined) return undefined
  const from = utcDay(new Date(now.getTime() - (FLOW_DAYS - 1) * DAY_MS))
  const stored = 'system' in account ? await storedFlow(db, account, from) : undefined
  const rest = await flowSince(db, number, { after: stored?.to, from, max })
  if (stored === undefined || stored.to === null) return rest && { from, ...rest }
  return rest === undefined
    ? { from, in: stored.in, out: stored.out, to: stored.to }
    : { from, in: stored.in + rest.in, out: stored.out + rest.out }
}

/** Sums the saved daily totals, up to the first missing day. */
async function storedFlow(db: Db, { system, asset }: { system: string; asset: string }, from: string) {
  const { rows } = await sql<{ in: Units; out: Units; to: string | null }>`
    select coalesce(sum(came_in), 0)::bigint as in, coalesce(sum(went_out), 0)::bigint as out, to_char(max(day), 'YYYY-MM-DD') as to
    from daily_total where system = ${system} and asset = ${asset} and day >= ${from}::date
      and day < coalesce((select min(w.day) from wallet_day w where w.day >= ${from}::date
        and not exists (select from daily_total h where h.day = w.day)), 'infinity')`.execute(db)
  return rows[0]
}

/** Sums the flow after a day, or from `from` if none is given. Returns undefined above the maximum. */
async function flowSince(db: Db, number: bigint, { after, from, max }: { after: string | null | undefined; from: string; max: number }) {
  const shards = await shardsOfAccount(db, number)
  const mark = sql`coalesce((select last_transfer_id from wallet_day where ${after ? sql`day <= ${after}::date` : sql`day < ${from}::date`} order by day desc limit 1), 0)`
  const side = (own: 'credit_account' | 'debit_account', sign: number) => sql`
    (select ${sign}::int as sign, amount from ledger_transfer where ${sql.ref(own)} = shard.id and id > ${mark} and kind <> 'shardMove' limit ${max + 1})`
  const { rows } = await sql<{ count: number; in: Units; out: Units }>`
    select count(*)::int as count, coalesce(sum(amount) filter (where sign > 0), 0)::bigint as in,
      coalesce(sum(amount) filter (where sign < 0), 0)::bigint as out
    from (select line.* from unnest(${shards.map((shard) => shard.number)}::bigint[]) shard (id)
      cross join lateral (${side('credit_account', 1)} union all ${side('debit_account', -1)}) line limit ${max + 1}) moved`.execute(db)
  const found = rows[0] ?? { count: 0, in: 0n, out: 0n }
  return found.count > max ? undefined : { in: found.in, out: found.out }
}
