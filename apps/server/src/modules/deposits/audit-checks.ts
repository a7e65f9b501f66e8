import type { AuditCheck } from '../../ledger/index.ts'

/** What `ledger:audit` checks about deposits, written apart from the code that credits them. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I8',
    title: 'each deposit is credited with what its payments and transfers brought, and with nothing else',
    sql: `with ledger as (
        select cause_id, sum(amount) as amount from ledger_transfer where cause_type = 'deposit' and kind in ('deposit', 'tokenDeposit') group by cause_id),
      brought as (
        select deposit_id, sum(amount) as amount from (
          select deposit_id, credited_amount as amount from provider_payment where credited_amount is not null
          union all select deposit_id, amount from invoice_transfer where credited_at is not null) one group by deposit_id)
      select d.public_id, d.credited, l.amount as posted, b.amount as brought
      from deposit d full join ledger l on l.cause_id = d.public_id left join brought b on b.deposit_id = d.id
      where d.id is null or d.credited <> coalesce(l.amount, 0) or d.credited <> coalesce(b.amount, 0)`,
  },
  {
    invariant: 'I8',
    title: 'each payment and each transfer from outside has one posting of its own',
    sql: `with expected as (
        select 'np:' || payment_id as key, credited_amount as amount from provider_payment where credited_amount is not null
        union all select 'chain:' || transfer_key, amount from invoice_transfer where credited_at is not null),
      posted as (select key, amount from ledger_transfer where cause_type = 'deposit' and kind in ('deposit', 'tokenDeposit'))
      select e.key, e.amount, p.amount as posted from expected e full join posted p on p.key = e.key
      where e.key is null or p.key is null or e.amount <> p.amount`,
  },
]
