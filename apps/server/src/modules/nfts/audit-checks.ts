import { type AuditCheck, factCheck, systemSql, rowRule } from '../../ledger/index.ts'

const PAYER = `p.member_id * 16 + case p.paid_from when 'nativewallet' then 2 when 'mywallet' then 3 else 1 end`
const SALES_ACCOUNT = `case p.paid_asset when 'usd' then ${systemSql('SYS-SALES', 'USD')} else ${systemSql('SYS-COIN', 'COIN')} end`

/** Checks of `ledger:audit` on NFTs. The checks share no code with the sale. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I9',
    title: 'the sold NFTs of a kind are at most its supply, and as many as its purchases that were not reversed',
    sql: `with bought as (select kind, count(*) as count from nft_purchase where status <> 'REVERSED' group by kind)
      select s.kind, s.sold, s.cap, b.count from nft_supply s full join bought b on b.kind = s.kind
      where s.kind is null or s.sold > s.cap or s.sold <> coalesce(b.count, 0)
        or s.cap > case s.kind when 'dome' then 10000 when 'wagon' then 25000 when 'hotelAndResort' then 55000 else 110000 end`,
  },
  factCheck({
    invariant: 'I4',
    title: 'each NFT was paid once, out of the wallet that it names',
    kinds: ['nftPurchase'],
    compare: ['created_at', 'rule_version', 'id'],
    facts: `select 'nftPurchase', p.public_id, ${PAYER}, ${SALES_ACCOUNT}, p.paid_amount, p.purchased_at, p.programme_version, p.transfer_id
      from nft_purchase p where p.imported_at is null`,
  }),
  factCheck({
    invariant: 'I4',
    title: 'each reversed NFT was refunded once, in full, to the wallet that paid',
    kinds: ['nftPurchaseReversed'],
    compare: ['created_at', 'rule_version'],
    facts: `select 'nftPurchaseReversed', p.public_id, ${SALES_ACCOUNT}, ${PAYER}, p.paid_amount, p.reversed_at, p.programme_version
      from nft_purchase p where p.status = 'REVERSED'`,
  }),
  {
    invariant: 'I13',
    title: 'each NFT cost its price, in coin at a price that held before it, rounded up, and pays price x percent / 100 / months a month',
    sql: `select p.public_id, p.price, p.paid_amount, p.coin_price, p.monthly_reward from nft_purchase p
      where (p.paid_asset = 'usd') is distinct from (p.coin_price is null) or (p.paid_asset = 'usd') <> (p.paid_from = 'depositwallet')
        or (p.paid_asset = 'usd' and p.paid_amount <> p.price)
        or (p.paid_asset = 'coin' and p.paid_amount <> div(p.price::numeric * 100000000 + p.coin_price - 1, p.coin_price))
        or (p.paid_asset = 'coin' and not exists (
          select from setting s where s.sell_price = p.coin_price and (s.starts_at <= p.purchased_at or s.starts_at = s.created_at)))
        or p.monthly_reward <> div(p.price::numeric * p.total_percent, 10000000000 * p.duration_months::numeric)`,
  },
  {
    invariant: 'I10',
    title: 'the rewards of each NFT have the terms of its sale, and a reversed NFT paid none',
    ...rowRule(
      `select coalesce(p.public_id, r.public_id) as purchase from nft_purchase p
      full join (select * from reward_source where stream = 2) r on r.public_id = p.public_id
      where p.id is null or r.id is null or r.member_id <> p.member_id or r.principal <> p.price or r.percent <> p.total_percent
        or r.amount <> p.monthly_reward or r.steps <> p.duration_months or r.starts_at <> p.purchased_at
        or r.programme_version <> p.programme_version or r.is_imported <> (p.imported_at is not null) or r.processed < p.imported_months or r.reversed_at is distinct from p.reversed_at
        or (p.reversed_at is not null and (r.processed > 0 or r.distributed > 0))`,
      // Reads all purchases, because at most 200,000 can exist.
      (at) => ({ reward_source: [at('starts_at'), 'public_id = any(array(select public_id from public.nft_purchase))'] }),
    ),
  },
  {
    invariant: 'I4',
    title: 'a reversed NFT returned the new money that its purchase took',
    afterClose: 'same',
    sql: `select t.id, t.new_money as back, o.new_money as taken from ledger_transfer t join nft_purchase p on p.public_id = t.cause_id
      join public.ledger_transfer o on o.id = p.transfer_id where t.kind = 'nftPurchaseReversed' and t.new_money is distinct from o.new_money`,
  },
]
