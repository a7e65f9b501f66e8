import type { AuditCheck } from '../../ledger/index.ts'

/** What `ledger:audit` checks about NFTs, written apart from the code that sells them. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I9',
    title: 'no more NFTs of a kind are sold than exist, and as many as there are purchases that stand',
    sql: `with bought as (select kind, count(*) as count from nft_purchase where status <> 'UNDONE' group by kind)
      select s.kind, s.sold, s.cap, b.count from nft_supply s full join bought b on b.kind = s.kind
      where s.kind is null or s.sold > s.cap or s.sold <> coalesce(b.count, 0)
        or s.cap > case s.kind when 'dome' then 10000 when 'wagon' then 25000 when 'hotelAndResort' then 55000 else 110000 end`,
  },
  {
    invariant: 'I4',
    title: 'each NFT was paid once, at its price',
    sql: `with paid as (
        select cause_id, count(*) as times, sum(amount) as amount from ledger_transfer
        where cause_type = 'nft_purchase' and kind = 'nftPurchase' group by cause_id)
      select p.public_id, p.paid_amount, m.amount from nft_purchase p full join paid m on m.cause_id = p.public_id
      where p.id is null or coalesce(m.times, 0) <> 1 or m.amount <> p.paid_amount
        or (p.paid_asset = 'usd' and p.paid_amount <> p.price)
        or (p.paid_asset = 'coin' and (p.paid_amount::numeric * p.coin_price < p.price::numeric * 100000000
          or (p.paid_amount - 1)::numeric * p.coin_price >= p.price::numeric * 100000000))`,
  },
  {
    invariant: 'I4',
    title: 'each undone NFT was paid back once, what was paid, and nothing was paid for it',
    sql: `with back as (
        select cause_id, count(*) as times, sum(amount) as amount from ledger_transfer
        where cause_type = 'nft_purchase' and kind = 'nftPurchaseUndone' group by cause_id)
      select coalesce(p.public_id, b.cause_id) as purchase, p.paid_amount, b.amount
      from (select * from nft_purchase where status = 'UNDONE') p full join back b on b.cause_id = p.public_id
      where p.id is null or b.times is distinct from 1 or b.amount is distinct from p.paid_amount
        or exists (select 1 from reward_fact f where f.member_id = p.member_id and f.stream = 2 and f.source_id = p.id)`,
  },
]
