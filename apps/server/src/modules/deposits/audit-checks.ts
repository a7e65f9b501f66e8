import { type AuditCheck, factCheck, systemSql, rowRule, walletSql } from '../../ledger/index.ts'

/**
 * SQL: checks a coin amount's worth against a price in force at that time. At the time of a change, both prices match.
 */
const isWorth = (usd: string, coin: string, moment: string) => `exists (select from setting s
  where s.starts_at <= ${moment} and ${usd} = div(${coin}::numeric * s.coin_price, 100000000)
    and not exists (select from setting n where n.starts_at > s.starts_at and n.starts_at < ${moment}))`

/** SQL: deposits opened, credited or decided within a window, and their rows. */
function inWindow(at: (column: string) => string) {
  const deposits = `select id from public.deposit where ${at('created_at')}
    union select p.deposit_id from public.payment_credit c join public.provider_payment p on p.payment_id = c.payment_id where ${at('c.credited_at')}
    union select deposit_id from public.invoice_transfer where ${at('credited_at')}
    union select deposit_id from public.deposit_decision where ${at('decided_at')}`
  const theirs = [`deposit_id = any(array(${deposits}))`]
  const payments = `select payment_id from public.provider_payment where deposit_id = any(array(${deposits}))`
  return {
    deposit: [`id = any(array(${deposits}))`],
    provider_payment: theirs,
    invoice_transfer: theirs,
    deposit_decision: theirs,
    payment_credit: [`payment_id = any(array(${payments}))`],
  }
}

/** `ledger:audit` checks for deposits, independent from the crediting code. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I8',
    title: 'each credited payment in USD is one transfer to the member of its deposit, and no other came in',
    kinds: ['deposit'],
    compare: ['created_at', 'key', 'id'],
    facts: `select 'deposit', d.public_id, ${systemSql('SYS-DEPOSIT', 'USD')}, ${walletSql('d.member_id', 'depositWallet')}, c.amount,
        c.credited_at, 'np:' || c.payment_id || ':' || c.part, c.transfer_id
      from payment_credit c join provider_payment p on p.payment_id = c.payment_id join deposit d on d.id = p.deposit_id
      union all select 'deposit', d.public_id, ${systemSql('SYS-DEPOSIT', 'USD')}, ${walletSql('d.member_id', 'depositWallet')}, t.amount,
        t.credited_at, 'chain:' || t.transfer_key, t.transfer_id
      from invoice_transfer t join deposit d on d.id = t.deposit_id where t.credited_at is not null and t.asset = 'USD'`,
  }),
  factCheck({
    invariant: 'I8',
    title: 'each credited transfer of coin from the chain is one transfer to the member of its invoice, and no other came in',
    kinds: ['tokenDeposit'],
    compare: ['created_at', 'key', 'id'],
    facts: `select 'tokenDeposit', d.public_id, ${systemSql('SYS-DEPOSIT', 'COIN')}, ${walletSql('d.member_id', 'nativeWallet')}, t.amount,
        t.credited_at, 'chain:' || t.transfer_key, t.transfer_id
      from invoice_transfer t join deposit d on d.id = t.deposit_id where t.credited_at is not null and t.asset = 'COIN'`,
  }),
  {
    invariant: 'I8',
    title: 'the credited amount of a payment is the amount of the provider, unless staff decided or have to',
    ...rowRule(
      `select p.payment_id, p.status, p.actually_paid, p.credited_amount, p.review_reason, c.amount as parts
      from provider_payment p join deposit d on d.id = p.deposit_id
      left join (select payment_id, sum(amount) as amount from payment_credit group by 1) c on c.payment_id = p.payment_id
      where p.credited_amount <> coalesce(c.amount, 0)
        or p.review_reason is null and case when p.status in ('partial', 'settled') then p.credited_amount <> p.actually_paid
          else p.credited_amount > 0 and (p.status <> 'confirming' or p.credited_amount > p.actually_paid) end
        or p.payment_id like 'hand-%' and p.payment_id <> 'hand-' || d.public_id
        or d.method <> 'hosted'`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'a deposit states the amount and value of its payments and transfers, and who decided',
    ...rowRule(
      `with brought as (
        select deposit_id, sum(amount) as amount, sum(usd_amount) as usd_amount from (
          select deposit_id, credited_amount as amount, credited_amount as usd_amount from provider_payment where credited_amount > 0
          union all select t.deposit_id, case when t.asset = o.asset then t.amount else 0 end, t.usd_amount
            from invoice_transfer t join deposit o on o.id = t.deposit_id where t.credited_at is not null) one group by deposit_id)
      select d.public_id, d.amount, d.credited, d.usd_amount, d.status, b.amount as brought, b.usd_amount as worth
      from deposit d left join brought b on b.deposit_id = d.id
      where d.credited <> coalesce(b.amount, 0) or (d.credited > 0) <> (d.status = 'APPROVE') and not d.by_hand
        or d.usd_amount <> b.usd_amount or b.usd_amount is null and d.asset = 'USD' and d.usd_amount <> d.amount
        or b.usd_amount is null and d.asset = 'COIN' and not ${isWorth('d.usd_amount', 'd.amount', 'd.created_at')}`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'a deposit counts less the amounts that two staff members reversed, each credit once',
    sql: `with taken as (
        select d.id, sum(part.usd) as usd from (
          select p.deposit_id, c.transfer_id, c.amount as usd from payment_credit c join provider_payment p on p.payment_id = c.payment_id
          union all select deposit_id, transfer_id, usd_amount from invoice_transfer where credited_at is not null) part
        join deposit d on d.id = part.deposit_id join ledger_reversal r on r.reverses = part.transfer_id group by d.id)
      select d.public_id, d.reversed_usd, t.usd from deposit d left join taken t on t.id = d.id where d.reversed_usd <> coalesce(t.usd, 0)`,
  },
  {
    invariant: 'I8',
    title: 'each manual credit matches a decision of staff, none about their own deposit',
    ...rowRule(
      `with decided as (
        select deposit_id, sum(credited) as credited, count(*) filter (where decided_by = member_id or first_approved_by = member_id) as own,
          count(distinct member_id) as members, min(member_id) as member_id from deposit_decision group by 1)
      select d.public_id, d.by_hand, x.credited, p.credited_amount from deposit d
      full join decided x on x.deposit_id = d.id left join provider_payment p on p.payment_id = 'hand-' || d.public_id
      where d.by_hand is distinct from (x.deposit_id is not null) or x.own > 0 or x.members > 1 or x.member_id <> d.member_id
        or coalesce(x.credited, 0) <> coalesce(p.credited_amount, (select sum(t.usd_amount) from invoice_transfer t
          where t.deposit_id = d.id and t.held is not null and t.credited_at is not null), 0)`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'each credited or held transfer from the chain is valued at the price in force',
    ...rowRule(
      `select t.transfer_key, t.amount, t.usd_amount from invoice_transfer t
      where t.usd_amount is not null and case t.asset when 'USD' then t.usd_amount <> t.amount
        else not ${isWorth('t.usd_amount', 't.amount', 'coalesce(t.held_at, t.credited_at)')} end`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'a transfer that no rule credits is credited by two people or not at all, and only such transfers are held for them',
    ...rowRule(
      `select t.transfer_key, t.held, t.credited_at from invoice_transfer t join deposit d on d.id = t.deposit_id
      where t.held is distinct from (case when position('#' in t.transfer_key) > 0 then 'REVERSED' when t.asset <> d.asset then 'OTHER_TOKEN' when t.block_time > d.watched_until then 'TOO_LATE' end)
          and (t.held is not null or t.credited_at is not null) and t.held is distinct from 'BALANCE_DIFFERS'
        or t.held is null and t.credited_at is not null and exists (select from chain_transfer c where c.address = d.address
          and not c.balance_fits and split_part(t.transfer_key, '#', 1) = concat_ws(':', c.chain_id, c.tx_hash, c.token, c.address, c.ordinal))
        or t.held is not null and t.credited_at is not null and not exists (select from deposit_decision x where x.deposit_id = d.id
          and x.outcome = 'APPROVED' and x.first_approved_by is not null and x.decided_at = t.credited_at)`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'each payment return that can arrive has the amount of the payments that it returned',
    sql: `select r.public_id, r.amount, p.amount as returned from payment_return r join payout_sending s on s.request_id = r.id
      left join (select t.return_id, d.public_id as deposit, d.member_id, t.asset, sum(t.amount) as amount
        from invoice_transfer t join deposit d on d.id = t.deposit_id
        where t.return_id is not null and t.held is not null and t.held <> 'BALANCE_DIFFERS' group by 1, 2, 3, 4) p on p.return_id = r.id
      where s.state not in ('FAILED', 'CANCELLED')
        and (p.amount, p.deposit, p.member_id, p.asset) is distinct from (r.amount, r.deposit, r.member_id, r.asset)`,
  },
  {
    invariant: 'I8',
    title: 'each credited chain transfer was final with this amount, or a later reorg removed it',
    ...rowRule(
      `select t.transfer_key, t.amount, c.amount as seen, c.state
      from invoice_transfer t join deposit d on d.id = t.deposit_id join chain_address a on a.address = d.address
      left join chain_transfer c on c.address = a.address and c.state in ('FINAL', 'GONE') and c.final_mac is not null
        and split_part(t.transfer_key, '#', 1) = concat_ws(':', c.chain_id, c.tx_hash, c.token, c.address, c.ordinal)
      where t.credited_at is not null and (c.amount is distinct from t.amount or a.invoice_id <> d.public_id)`,
      inWindow,
    ),
  },
  {
    invariant: 'I8',
    title: 'a chain transfer is credited again only after each earlier credit was reversed',
    ...rowRule(
      `select t.transfer_key from invoice_transfer t where position('#' in t.transfer_key) > 0 and t.credited_at is not null
        and exists (select from invoice_transfer o where split_part(o.transfer_key, '#', 1) = split_part(t.transfer_key, '#', 1)
          and o.deposit_id = t.deposit_id and o.transfer_key < t.transfer_key
          and not exists (select from ledger_reversal r where r.reverses = o.transfer_id))`,
      inWindow,
    ),
  },
]
