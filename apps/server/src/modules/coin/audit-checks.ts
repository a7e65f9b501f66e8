import type { AuditCheck } from '../../ledger/index.ts'

/** What `ledger:audit` checks about purchases of coin, written apart from the code that makes them. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I4',
    title: 'each purchase of coin moved its two amounts once, and back once when it was undone',
    sql: `with moved as (
        select cause_id, kind, asset, count(*) as times, sum(amount) as amount from ledger_transfer
        where cause_type = 'coin_purchase' and kind in ('buyToken', 'buyTokenUndone') group by cause_id, kind, asset),
      due as (
        select public_id, 'buyToken' as kind, 'COIN' as asset, coin_amount as amount from coin_purchase
        union all select public_id, 'buyToken', 'USD', charged from coin_purchase
        union all select public_id, 'buyTokenUndone', 'COIN', coin_amount from coin_purchase where undone_at is not null
        union all select public_id, 'buyTokenUndone', 'USD', charged from coin_purchase where undone_at is not null)
      select coalesce(d.public_id, m.cause_id) as purchase, coalesce(d.kind, m.kind) as kind, d.amount, m.amount as moved
      from due d full join moved m on m.cause_id = d.public_id and m.kind = d.kind and m.asset = d.asset
      where m.times is distinct from 1 or m.amount is distinct from d.amount`,
  },
]
