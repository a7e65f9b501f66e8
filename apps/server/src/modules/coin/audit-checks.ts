import { type AuditCheck, factCheck, systemSql, rowRule, walletSql } from '../../ledger/index.ts'

const CREDITED = `p.member_id * 16 + case s.buy_token_credit_wallet when 'nativeWallet' then 2 when 'icoWallet' then 3 else 4 end`
const DEPOSIT = walletSql('p.member_id', 'depositWallet')
const SALES = systemSql('SYS-SALES', 'USD')
const STOCK = systemSql('SYS-COIN', 'COIN')
const PURCHASE = 'from coin_purchase p join setting s on s.version = p.settings_version'

/** Checks of `ledger:audit` on coin purchases. The checks share no code with the purchase. */
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
    title: 'each reversed purchase of coin moved its two amounts back once',
    kinds: ['buyTokenReversed'],
    compare: ['created_at', 'rule_version'],
    facts: `
      select 'buyTokenReversed', p.public_id, ${CREDITED}, ${STOCK}, p.coin_amount, p.reversed_at, p.settings_version ${PURCHASE}
        where p.reversed_at is not null
      union all select 'buyTokenReversed', p.public_id, ${SALES}, ${DEPOSIT}, p.charged, p.reversed_at, p.settings_version ${PURCHASE}
        where p.reversed_at is not null`,
  }),
  {
    invariant: 'I13',
    title: 'each purchase of coin cost amount x price of the settings that it refers to, rounded up, and within their bounds',
    ...rowRule(
      `select p.public_id, p.coin_amount, p.coin_price, p.charged, p.total_price ${PURCHASE}
      where p.coin_price <> s.buy_price or (p.created_at < s.starts_at and s.starts_at <> s.created_at) or p.coin_amount not between s.min_coin and s.max_coin
        or p.charged <> div(p.coin_amount::numeric * s.buy_price + 99999999, 100000000)
        or p.total_price <> (p.charged + 500000) / 1000000 * 1000000`,
      (at) => ({ coin_purchase: [at('created_at')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'the reward of a purchase of coin is for the part bought with new money, and a reversed purchase has none',
    ...rowRule(
      `select i.id, i.status from reward_instant i left join coin_purchase c on c.id = i.cause_id
      left join ledger_transfer t on t.id = c.posting_id
      where i.cause_type = 'coin_purchase' and i.status <> 'unearned' and (c.id is null or i.cause_public_id is distinct from c.public_id
        or i.new_money is distinct from t.new_money or i.base is distinct from div(c.coin_amount::numeric * t.new_money, c.charged)
        or i.cause_amount is distinct from c.coin_amount or (c.reversed_at is not null and i.status <> 'reversed'))`,
      (at) => ({
        reward_instant: [
          at('created_at'),
          `kind = 'referral' and cause_id in (select id from public.coin_purchase where ${at('reversed_at')})`,
        ],
      }),
    ),
  },
  {
    invariant: 'I10',
    title: 'a purchase of coin that earned its sponsor nothing names the reason',
    ...rowRule(
      `select i.id, i.unearned_reason from reward_instant i left join coin_purchase c on c.id = i.cause_id
      left join ledger_transfer t on t.id = c.posting_id
      where i.status = 'unearned' and (c.id is null or i.cause_public_id is distinct from c.public_id or i.cause_amount is distinct from c.coin_amount
        or i.base <> 0 or i.new_money is not null or i.unearned_reason is distinct from case when i.percent = 0 then 'no-share'
          when t.new_money is null then 'no-new-money' when i.unearned_reason = 'not-entitled' then 'not-entitled'
          when div(div(c.coin_amount::numeric * t.new_money, c.charged) * i.percent, 10000000000) = 0 then 'too-small' end)`,
      (at) => ({ reward_instant: [at('created_at')] }),
    ),
  },
  {
    invariant: 'I4',
    title: 'money becomes new money again only after its referral reward, or its purchase without one, was reversed',
    sql: `with back as (
        select a.owner_id as member_id, sum(r.amount) as amount,
          bool_or(t.kind not in ('myWalletToUsd', 'rcmToUsd', 'buyTokenReversed', 'reversal') or r.amount > t.amount) as is_wrong
        from ledger_new_money_return r join ledger_transfer t on t.id = r.transfer_id
        join ledger_account a on a.id = case t.kind when 'reversal' then t.debit_account else t.credit_account end group by 1
      ), ended as (
        select member_id, sum(amount) as amount from (
          select source_member_id as member_id, div(new_money::numeric * base_returned, base) as amount from reward_instant
          where kind = 'referral' and source_member_id in (select member_id from back)
          union all
          select c.member_id, t.new_money from coin_purchase c join ledger_transfer t on t.id = c.posting_id
          where c.reversed_at is not null and c.member_id in (select member_id from back)
            and not exists (select from reward_instant i where i.cause_id = c.id and i.kind = 'referral' and i.status <> 'unearned')) parts group by 1
      )
      select member_id, back.amount, ended.amount as ended from back left join ended using (member_id)
      where back.is_wrong or back.amount > coalesce(ended.amount, 0)`,
  },
]
