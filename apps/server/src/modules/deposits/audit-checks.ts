import { type AuditCheck, factCheck, houseSql, walletSql } from '../../ledger/index.ts'

/** What `ledger:audit` checks about deposits, written apart from the code that credits them. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I8',
    title: 'each credited payment is one transfer to the member of its deposit, and no other came in',
    kinds: ['deposit'],
    compare: ['created_at', 'key', 'id'],
    facts: `select 'deposit', d.public_id, ${houseSql('SYS-DEPOSIT', 'USD')}, ${walletSql('d.member_id', 'depositWallet')}, p.credited_amount,
        p.credited_at, 'np:' || p.payment_id, p.transfer_id
      from provider_payment p join deposit d on d.id = p.deposit_id where p.credited_at is not null or p.credited_amount is not null`,
  }),
  factCheck({
    invariant: 'I8',
    title: 'each credited transfer from the chain is one transfer to the member of its invoice, and no other came in',
    kinds: ['tokenDeposit'],
    compare: ['created_at', 'key', 'id'],
    facts: `select 'tokenDeposit', d.public_id, ${houseSql('SYS-DEPOSIT', 'COIN')}, ${walletSql('d.member_id', 'nativeWallet')}, t.amount,
        t.credited_at, 'chain:' || t.transfer_key, t.transfer_id
      from invoice_transfer t join deposit d on d.id = t.deposit_id where t.credited_at is not null`,
  }),
  {
    invariant: 'I8',
    title: 'what was credited of a payment is what the provider said, unless a person has to look at it or decided',
    sql: `select p.payment_id, p.status, p.actually_paid, p.credited_amount, p.review_reason
      from provider_payment p join deposit d on d.id = p.deposit_id
      where p.credited_amount is not null and p.review_reason is null
          and (p.credited_amount <> p.actually_paid or p.status not in ('partial', 'settled'))
        or p.payment_id like 'hand-%' and (not d.by_hand or d.decided_by is null or p.payment_id <> 'hand-' || d.public_id)
        or d.way <> 'hosted'`,
  },
  {
    invariant: 'I8',
    title: 'a deposit says what its payments and transfers brought, what that is worth, and who decided',
    sql: `with brought as (
        select deposit_id, sum(amount) as amount from (
          select deposit_id, credited_amount as amount from provider_payment where credited_amount is not null
          union all select deposit_id, amount from invoice_transfer where credited_at is not null) one group by deposit_id)
      select d.public_id, d.amount, d.credited, d.usd_amount, d.status, b.amount as brought
      from deposit d left join brought b on b.deposit_id = d.id
      where d.credited <> coalesce(b.amount, 0) or (d.credited > 0) <> (d.status = 'APPROVE') and not d.by_hand
        or d.by_hand <> (d.decided_by is not null) and d.first_approved_by is null
        or d.way = 'hosted' and d.usd_amount <> case when d.credited > 0 then d.credited else d.amount end
        or d.way = 'chain' and not exists (select from setting s where d.usd_amount
          = div(case when d.credited > 0 then d.credited else d.amount end::numeric * s.coin_price, 100000000))`,
  },
]
