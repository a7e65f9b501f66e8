import { type AuditCheck, type AuditWindow, factCheck, systemSql, inSql, rowRule, walletSql } from '../../ledger/index.ts'

const CREDITED = `p.member_id * 16 + case s.buy_token_credit_wallet when 'nativeWallet' then 2 when 'icoWallet' then 3 else 4 end`
const DEPOSIT = walletSql('p.member_id', 'depositWallet')
const SALES = systemSql('SYS-SALES', 'USD')
const STOCK = systemSql('SYS-COIN', 'COIN')
const PURCHASE = 'from coin_purchase p join setting s on s.version = p.settings_version'

const GAVE = "'buyTokenUndone', 'myWalletToUsd', 'rcmToUsd'"

/** SQL: marks of members that are not what moved on their accounts. */
const keptSql = (moved: string, who: string) => `
  with moved as (${moved}), found as (
    select a.owner_id as member_id, sum(moved.amount) as kept from moved join ledger_account a on a.id = moved.account group by 1)
  select coalesce(m.member_id, f.member_id) as member_id, m.kept, f.kept as found
  from (select * from reward_mark where ${who}) m full join found f on f.member_id = m.member_id
  where coalesce(m.kept, 0) > coalesce(f.kept, 0) or coalesce(m.kept, 0) < coalesce(f.kept, 0) and not exists (
    select from reward_instant i where i.source_member_id = m.member_id and i.base_back > 0)`

/** Of members who bought or gave back in a window, all that they ever did: an index leads to it. */
const keptByMovers = ({ own }: AuditWindow): string => {
  const movers = `select distinct a.owner_id from ledger_transfer t join ledger_account a on a.id in (t.credit_account, t.debit_account)
    where ${inSql('t.id', own)} and t.asset = 'COIN' and t.kind in ('buyToken', ${GAVE}) and a.owner_id is not null`
  const theirs = `(${movers}) m cross join generate_series(m.owner_id * 16, m.owner_id * 16 + 15) wallet`
  return keptSql(
    `select ${walletSql('p.member_id', 'nativeWallet')} as account, p.coin_amount as amount from (${movers}) m join coin_purchase p on p.member_id = m.owner_id
      union all select t.debit_account, -t.amount from ${theirs} join ledger_transfer t on t.debit_account = wallet and t.kind in (${GAVE}) and t.asset = 'COIN'`,
    `member_id in (${movers})`,
  )
}

/** What `ledger:audit` checks about purchases of coin, written apart from the code that makes them. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I4',
    title: 'each purchase of coin moved its two amounts once',
    kinds: ['buyToken'],
    compare: ['created_at', 'rule_version', 'posting_id'],
    facts: `
      select 'buyToken', p.public_id, ${DEPOSIT}, ${SALES}, p.charged, p.created_at, p.settings_version, p.posting_id ${PURCHASE}
      union all select 'buyToken', p.public_id, ${STOCK}, ${CREDITED}, p.coin_amount, p.created_at, p.settings_version, p.posting_id ${PURCHASE}`,
  }),
  factCheck({
    invariant: 'I4',
    title: 'each undone purchase of coin moved its two amounts back once',
    kinds: ['buyTokenUndone'],
    compare: ['created_at', 'rule_version'],
    facts: `
      select 'buyTokenUndone', p.public_id, ${CREDITED}, ${STOCK}, p.coin_amount, p.undone_at, p.settings_version ${PURCHASE}
        where p.undone_at is not null
      union all select 'buyTokenUndone', p.public_id, ${SALES}, ${DEPOSIT}, p.charged, p.undone_at, p.settings_version ${PURCHASE}
        where p.undone_at is not null`,
  }),
  {
    invariant: 'I13',
    title: 'each purchase of coin cost amount x price of the settings that it names, rounded up, and within their bounds',
    ...rowRule(
      `select p.public_id, p.coin_amount, p.coin_price, p.charged, p.total_price ${PURCHASE}
      where p.coin_price <> s.coin_price or p.created_at < s.starts_at or p.coin_amount not between s.min_coin and s.max_coin
        or p.charged <> div(p.coin_amount::numeric * s.coin_price + 99999999, 100000000)
        or p.total_price <> (p.charged + 500000) / 1000000 * 1000000`,
      (at) => ({ coin_purchase: [at('created_at')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'the reward of a purchase of coin rests on it, and none is left of one that was undone',
    ...rowRule(
      `select i.id, i.status from reward_instant i left join coin_purchase c on c.id = i.cause_id
      where i.cause_type = 'coin_purchase' and (c.id is null or i.cause_public_id is distinct from c.public_id
        or i.cause_amount is distinct from c.coin_amount or (c.undone_at is not null and i.status <> 'reversed'))`,
      (at) => ({
        reward_instant: [
          at('created_at'),
          `kind = 'referral' and cause_id in (select id from public.coin_purchase where ${at('undone_at')})`,
        ],
      }),
    ),
  },
  {
    invariant: 'I4',
    title: 'the coin that a buyer keeps is coin bought less coin given back, and what the bridge carried out within the hold',
    sql: keptSql(
      `select credit_account as account, amount from ledger_transfer where kind = 'buyToken' and asset = 'COIN'
        union all select debit_account, -amount from ledger_transfer where kind in (${GAVE}) and asset = 'COIN'`,
      'true',
    ),
    later: { within: keptByMovers },
  },
]
