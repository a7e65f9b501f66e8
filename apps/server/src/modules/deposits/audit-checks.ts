import { type AuditCheck, factCheck, houseSql, walletSql } from '../../ledger/index.ts'

/** Whether coin is worth what a price that was in force at the moment made of it; two hold in the moment of a change. */
const isWorth = (usd: string, coin: string, moment: string) => `exists (select from setting s
  where s.starts_at <= ${moment} and ${usd} = div(${coin}::numeric * s.coin_price, 100000000)
    and not exists (select from setting n where n.starts_at > s.starts_at and n.starts_at < ${moment}))`

/** What `ledger:audit` checks about deposits, written apart from the code that credits them. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I8',
    title: 'each credited payment is one transfer to the member of its deposit, and no other came in',
    kinds: ['deposit'],
    compare: ['created_at', 'key', 'id'],
    facts: `select 'deposit', d.public_id, ${houseSql('SYS-DEPOSIT', 'USD')}, ${walletSql('d.member_id', 'depositWallet')}, c.amount,
        c.credited_at, 'np:' || c.payment_id || ':' || c.part, c.transfer_id
      from payment_credit c join provider_payment p on p.payment_id = c.payment_id join deposit d on d.id = p.deposit_id`,
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
    sql: `select p.payment_id, p.status, p.actually_paid, p.credited_amount, p.review_reason, c.amount as parts
      from provider_payment p join deposit d on d.id = p.deposit_id
      left join (select payment_id, sum(amount) as amount from payment_credit group by 1) c on c.payment_id = p.payment_id
      where p.credited_amount <> coalesce(c.amount, 0)
        or p.review_reason is null and case when p.status in ('partial', 'settled') then p.credited_amount <> p.actually_paid
          else p.credited_amount > 0 and (p.status <> 'confirming' or p.credited_amount > p.actually_paid) end
        or p.payment_id like 'hand-%' and p.payment_id <> 'hand-' || d.public_id
        or d.way <> 'hosted'`,
  },
  {
    invariant: 'I8',
    title: 'a deposit says what its payments and transfers brought, what that is worth, and who decided',
    sql: `with brought as (
        select deposit_id, sum(amount) as amount, sum(usd_amount) as usd_amount from (
          select deposit_id, credited_amount as amount, credited_amount as usd_amount from provider_payment where credited_amount > 0
          union all select deposit_id, amount, usd_amount from invoice_transfer where credited_at is not null) one group by deposit_id)
      select d.public_id, d.amount, d.credited, d.usd_amount, d.status, b.amount as brought, b.usd_amount as worth
      from deposit d left join brought b on b.deposit_id = d.id
      where d.credited <> coalesce(b.amount, 0) or (d.credited > 0) <> (d.status = 'APPROVE') and not d.by_hand
        or d.usd_amount <> b.usd_amount or b.usd_amount is null and d.way = 'hosted' and d.usd_amount <> d.amount
        or b.usd_amount is null and d.way = 'chain' and not ${isWorth('d.usd_amount', 'd.amount', 'd.created_at')}`,
  },
  {
    invariant: 'I8',
    title: 'what was credited by hand is what people decided, none of them about an own deposit',
    sql: `with decided as (
        select deposit_id, sum(credited) as credited, count(*) filter (where decided_by = member_id or first_approved_by = member_id) as own,
          count(distinct member_id) as members, min(member_id) as member_id from deposit_decision group by 1)
      select d.public_id, d.by_hand, x.credited, p.credited_amount from deposit d
      full join decided x on x.deposit_id = d.id left join provider_payment p on p.payment_id = 'hand-' || d.public_id
      where d.by_hand is distinct from (x.deposit_id is not null) or x.own > 0 or x.members > 1 or x.member_id <> d.member_id
        or coalesce(x.credited, 0) <> coalesce(p.credited_amount, 0)`,
  },
  {
    invariant: 'I8',
    title: 'each credited transfer from the chain is worth what the price in force made of it',
    sql: `select t.transfer_key, t.amount, t.usd_amount from invoice_transfer t
      where t.credited_at is not null and not ${isWorth('t.usd_amount', 't.amount', 't.credited_at')}`,
  },
  {
    invariant: 'I8',
    title: 'each credited transfer to an address of the chain was final there, with this amount, or went by a reorganisation since',
    sql: `select t.transfer_key, t.amount, c.amount as seen, c.state
      from invoice_transfer t join deposit d on d.id = t.deposit_id join chain_address a on a.address = d.address
      left join chain_transfer c on c.address = a.address and c.state in ('FINAL', 'GONE')
        and t.transfer_key = concat_ws(':', c.chain_id, c.tx_hash, c.token, c.address, c.ordinal)
      where t.credited_at is not null and (c.amount is distinct from t.amount or a.invoice_id <> d.public_id)`,
  },
]
