import type { AuditCheck } from './audit.ts'
import { supplyCheck } from './audit-causes.ts'
import { newMoneyChecks } from './audit-new-money.ts'
import { closeChecks } from './period-close.ts'

/** SQL: required triggers of the tables. A missing or disabled trigger is a finding. */
const GUARDS = `
  (values ('ledger_transfer', 'ledger_transfer_append_only', 58), ('ledger_account', 'ledger_account_stays', 58),
    ('ledger_close', 'ledger_close_append_only', 58), ('ledger_new_money_return', 'ledger_new_money_return_append_only', 58)) g (on_table, name, events)`

/** SQL: floor of each account. The chart of accounts is deliberately not used, so that the audit stays independent. */
const FLOORS = `case when a.owner_id is not null then 0 when a.kind = 'SYS-ISSUE' then -1500000000000000000
  when a.kind in ('SYS-DEPOSIT', 'SYS-OPERATOR', 'SYS-LOSS') or a.kind = 'SYS-IMPORT' and a.asset = 'USD' then -9223372036854775807
  else 0 end`

/**
 * Audit checks of the ledger: an independent fold over the transfers, separate from the posting code. main/all-checks.ts adds the
 * checks of other modules.
 */
export const ledgerChecks: readonly AuditCheck[] = [
  { ...supplyCheck, afterClose: 'closed' },
  ...closeChecks,
  ...newMoneyChecks,
  {
    invariant: 'I1',
    title: 'all balances of an asset add up to 0',
    sql: 'select asset, sum(balance) from ledger_account group by asset having sum(balance) <> 0',
  },
  {
    invariant: 'I1',
    title: 'the entries of each posting add up to 0 per asset, and both sides hold the asset moved',
    afterClose: 'same',
    sql: `with entry as (
        select t.posting_id, d.asset, -t.amount::numeric as amount from ledger_transfer t left join ledger_account d on d.id = t.debit_account
        union all
        select t.posting_id, c.asset, t.amount from ledger_transfer t left join ledger_account c on c.id = t.credit_account)
      select posting_id, asset, sum(amount) from entry group by posting_id, asset having sum(amount) <> 0 or asset is null
      union all
      select t.posting_id, t.asset, t.amount from ledger_transfer t join ledger_account d on d.id = t.debit_account where d.asset <> t.asset`,
  },
  {
    invariant: 'I2',
    title: "each stored balance and version is the fold of the account's transfers",
    afterClose: {
      sql: `with fold as (
        select account, sum(amount) as balance, sum(entries) as entries from (
          select account, balance::numeric as amount, version as entries from ledger_closed_balance
          union all select debit_account, -amount::numeric, 1 from ledger_transfer
          union all select credit_account, amount, 1 from ledger_transfer) e group by account)
      select coalesce(a.id, f.account) as account, a.balance, f.balance as folded, a.version, f.entries
      from ledger_account a full join fold f on f.account = a.id
      where a.id is null or a.balance <> coalesce(f.balance, 0) or a.version <> coalesce(f.entries, 0)`,
    },
    sql: `with fold as (
        select account, sum(amount) as balance, count(*) as entries from (
          select debit_account as account, -amount::numeric as amount from ledger_transfer
          union all select credit_account, amount from ledger_transfer) e group by account)
      select coalesce(a.id, f.account) as account, a.balance, f.balance as folded, a.version, f.entries
      from ledger_account a full join fold f on f.account = a.id
      where a.id is null or a.balance <> coalesce(f.balance, 0) or a.version <> coalesce(f.entries, 0)`,
  },
  {
    invariant: 'I2',
    title: 'no account is below its floor, and the floors are those of the chart: 0 for every member',
    sql: `select a.id, a.balance, a.min_balance from ledger_account a where a.min_balance <> ${FLOORS} or a.balance < ${FLOORS}`,
  },
  {
    invariant: 'I2',
    title: 'no balance was ever below the floor',
    afterClose: 'same',
    sql: `select t.id, t.debit_account, t.debit_balance_after from ledger_transfer t
      join ledger_account a on a.id = t.debit_account where t.debit_balance_after < ${FLOORS} or t.amount <= 0`,
  },
  {
    invariant: 'I3',
    title: 'the append-only guards exist and are always enabled',
    sql: `select g.name, t.tgenabled from ${GUARDS}
      left join pg_trigger t on t.tgrelid = g.on_table::regclass and t.tgname = g.name and not t.tgisinternal
      left join pg_proc f on f.oid = t.tgfoid
      where t.oid is null or t.tgenabled <> 'A' or t.tgtype & g.events <> g.events or f.proname <> 'ledger_reject_change' or f.prosrc !~ 'raise exception'`,
  },
  {
    invariant: 'I3',
    title: 'the constraints exist and are valid',
    sql: `select n.name from (values ('ledger_account_covered'), ('ledger_account_number_fits'), ('ledger_account_member_owes_nothing'),
        ('ledger_account_new_money_held')) n (name)
      left join pg_constraint c on c.conrelid = 'ledger_account'::regclass and c.conname = n.name
      where c.oid is null or not c.convalidated
      union all
      select 'ledger_transfer_by_key' where not exists (select 1 from pg_index i
        where i.indexrelid = to_regclass('ledger_transfer_by_key') and i.indisunique and i.indisvalid)`,
  },
  {
    invariant: 'I3',
    title: 'on each account every balance follows from the one before it, in order of ids',
    afterClose: {
      sql: `select * from (
        select account, id, amount, after, lag(after, 1, (select b.balance from ledger_closed_balance b where b.account = chain.account))
          over (partition by account order by id) as before from (
          select debit_account as account, id, -amount as amount, debit_balance_after as after from ledger_transfer
          union all select credit_account, id, amount, credit_balance_after from ledger_transfer) chain) chain
      where coalesce(before, 0)::numeric + amount <> after`,
    },
    sql: `select * from (
        select account, id, amount, after, lag(after, 1, 0::bigint) over (partition by account order by id) as before from (
          select debit_account as account, id, -amount as amount, debit_balance_after as after from ledger_transfer
          union all select credit_account, id, amount, credit_balance_after from ledger_transfer) e) chain
      where before::numeric + amount <> after`,
  },
  {
    invariant: 'I3',
    title: 'a posting has the id of its first transfer, and its transfers share cause and moment',
    afterClose: 'same',
    sql: `select posting_id from ledger_transfer group by posting_id
      having posting_id <> min(id) or count(distinct (cause_type, cause_id, created_at, coalesce(rule_version, -1))) > 1`,
  },
  {
    invariant: 'I5',
    title: 'a key belongs to one posting',
    afterClose: 'same',
    sql: 'select key, count(*) from ledger_transfer where key is not null group by key having count(*) > 1',
  },
  {
    invariant: 'I7',
    title: 'SYS-HOLD is filled by holds and emptied by their endings only',
    afterClose: 'same',
    sql: `select t.id from ledger_transfer t
      join ledger_account d on d.id = t.debit_account join ledger_account c on c.id = t.credit_account
      where t.pending <> (c.kind = 'SYS-HOLD') or (t.resolves is not null) <> (d.kind = 'SYS-HOLD')`,
  },
  {
    invariant: 'I7',
    title: 'a hold ends at most once, with its whole amount, on the shard where it was placed',
    afterClose: {
      sql: `select t.resolves, count(distinct e.posting_id) as endings, sum(e.amount) as paid, h.amount
      from (select distinct resolves from ledger_transfer where resolves is not null) t
      join public.ledger_transfer e on e.resolves = t.resolves left join public.ledger_transfer h on h.id = t.resolves and h.pending
      group by t.resolves, h.amount, h.credit_account
      having h.amount is null or count(distinct e.posting_id) > 1 or sum(e.amount) <> h.amount
        or bool_or(e.debit_account <> h.credit_account) or min(e.id) < t.resolves`,
    },
    sql: `select t.resolves, count(distinct t.posting_id) as endings, sum(t.amount) as paid, h.amount
      from ledger_transfer t left join ledger_transfer h on h.id = t.resolves and h.pending
      where t.resolves is not null group by t.resolves, h.amount, h.credit_account
      having h.amount is null or count(distinct t.posting_id) > 1 or sum(t.amount) <> h.amount
        or bool_or(t.debit_account <> h.credit_account) or min(t.id) < t.resolves`,
  },
  {
    invariant: 'I7',
    title: 'each shard of SYS-HOLD holds the sum of its open holds',
    // The month's hash covers closed months. Balances and earlier checks cover later rows.
    afterClose: 'closed',
    sql: `with open_hold as (
        select h.credit_account as account, sum(h.amount) as amount from ledger_transfer h
        where h.pending and not exists (select 1 from ledger_transfer r where r.resolves = h.id) group by h.credit_account)
      select a.id, a.balance, o.amount from ledger_account a left join open_hold o on o.account = a.id
      where a.kind = 'SYS-HOLD' and a.balance <> coalesce(o.amount, 0)`,
  },
  {
    invariant: 'I9',
    title: 'coin comes out of SYS-ISSUE only for the stock, and at most 15,000,000,000 of it',
    afterClose: 'same',
    sql: `select t.id, t.amount from ledger_transfer t
      join ledger_account d on d.id = t.debit_account join ledger_account c on c.id = t.credit_account
      where d.kind = 'SYS-ISSUE' and c.kind <> 'SYS-COIN'
      union all
      select null, sum(case when d.kind = 'SYS-ISSUE' then t.amount else -t.amount end) from ledger_transfer t
      join ledger_account d on d.id = t.debit_account join ledger_account c on c.id = t.credit_account
      where 'SYS-ISSUE' in (d.kind, c.kind) having sum(case when d.kind = 'SYS-ISSUE' then t.amount else -t.amount end) > 1500000000000000000`,
  },
]
