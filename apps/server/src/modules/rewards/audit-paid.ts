import { atSql, type AuditCheck, factCheck, systemSql, inSql, overRows, rowRule, walletSql } from '../../ledger/index.ts'
import { runCheck, runRule } from './audit-runs.ts'

const POOL = (isUsd: string) => `case when ${isUsd} then ${systemSql('SYS-REWARD', 'USD')} else ${systemSql('SYS-REWARD', 'COIN')} end`
const WALLET = (owner: string, isUsd: string) =>
  `case when ${isUsd} then ${walletSql(owner, 'nftWallet')} else ${walletSql(owner, 'nativeWallet')} end`
/** SQL: selects the paid credits: up to the payment's cursor, without claims that are not paid yet. */
const PAID = `from reward_credit c join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
  left join reward_payment_claim t on t.run_id = c.run_id and t.stream = c.stream and (c.sponsor_id, c.member_id) > (t.after_sponsor, t.after_member)
    and (c.sponsor_id, c.member_id) <= (t.last_sponsor, t.last_member)
  where c.amount > 0 and (c.sponsor_id, c.member_id) <= (p.cursor_sponsor, p.cursor_member) and t.run_id is null`

/**
 * SQL: finds coin sales that reversed too little from the seller's pending referral rewards. Rewards and sales of the same millisecond have
 * no known order, so only the reversed part of such rewards counts.
 */
const SOLD_WITHIN_HOLD = `select t.id, t.amount from ledger_transfer t join ledger_account a on a.id = t.debit_account
      join reward_instant i on i.source_member_id = a.owner_id and i.kind = 'referral' and i.created_at <= t.created_at and i.release_at > t.created_at
      where t.kind in ('myWalletToUsd', 'rcmToUsd') and t.asset = 'COIN'
      group by t.id, t.amount
      having sum(i.base - i.base_returned) filter (where i.status <> 'reversed' and i.created_at < t.created_at) > 0 and sum(i.base_returned) < t.amount`

/** `ledger:audit` checks on money moved by reward runs, events and staff. */
export const paidChecks: readonly AuditCheck[] = [
  {
    invariant: 'I19',
    title: 'a run is unchanged since it was summed: its rows match its fingerprint, and its parts match their sums',
    ...runRule(
      `select r.id, null::int as stream from reward_run r where r.status <> 'RECORDING'
        and (r.hash is distinct from reward_fingerprint(r.id) or r.accruals <> (select count(*) from reward_accrual f where f.run_id = r.id))
      union all
      select coalesce(p.run_id, c.run_id), coalesce(p.stream, c.stream) from reward_payment p
      full join (select run_id, stream, sum(amount) as total, count(*) as credits from reward_credit where amount > 0
        and run_id not in (select id from reward_run where status = 'RECORDING') group by 1, 2) c
        on c.run_id = p.run_id and c.stream = p.stream
      where p.total is distinct from c.total or p.credits is distinct from c.credits
      union all
      select null, null from reward_day d left join lateral (
        select sum(r.accruals) as accruals, sum(p.coin) as coin, sum(p.usd) as usd from reward_run r
        left join lateral (select sum(total) filter (where stream < 2) as coin, sum(total) filter (where stream = 2) as usd
          from reward_payment where run_id = r.id) p on true where r.day = d.day) s on true
      where d.status = 'DONE' and (d.accruals <> coalesce(s.accruals, 0) or d.total_coin <> coalesce(s.coin, 0) or d.total_usd <> coalesce(s.usd, 0))`,
    ),
  },
  runCheck({
    invariant: 'I10',
    title: 'a run has paid each credit up to its cursor once',
    kinds: ['stakeRewards', 'stakeLogRewards', 'nftRewards'],
    compare: [],
    facts: `select (array['stakeRewards', 'stakeLogRewards', 'nftRewards'])[c.stream + 1], c.run_id::text, ${POOL('c.stream = 2')},
        ${WALLET('c.member_id', 'c.stream = 2')}, c.amount ${PAID}`,
  }),
  {
    invariant: 'I10',
    title: 'a run says how much of it is paid',
    ...runRule(
      `select p.run_id, p.stream, p.paid, p.paid_credits from reward_payment p
      left join (select c.run_id, c.stream, sum(c.amount) as paid, count(*) as credits ${PAID} group by 1, 2) c
        on c.run_id = p.run_id and c.stream = p.stream
      left join (select run_id, stream, sum(total) as total from reward_payment_claim group by 1, 2) t on t.run_id = p.run_id and t.stream = p.stream
      where p.paid <> coalesce(c.paid, 0) or p.paid_credits <> coalesce(c.credits, 0) or p.taken <> p.paid + coalesce(t.total, 0)`,
    ),
  },
  {
    invariant: 'I10',
    title: 'each shard of the reward pool holds the credits that are to be paid out of it',
    sql: `select a.id, a.balance, t.total from ledger_account a
      left join (select stream = 2 as is_usd, shard, sum(total) as total from reward_payment_claim group by 1, 2) t
        on t.shard = a.shard and t.is_usd = (a.asset = 'USD')
      where a.kind = 'SYS-REWARD' and a.shard > 0 and a.balance <> coalesce(t.total, 0)`,
  },
  factCheck({
    invariant: 'I10',
    title: 'each paid instant reward is one transfer of its remaining amount',
    kinds: ['referralReward', 'levelReward', 'nftLevelBonus', 'rankBonus'],
    compare: ['created_at', 'rule_version', 'id'],
    facts: `select case i.kind when 'referral' then 'referralReward' when 'level' then 'levelReward' when 'rank' then 'rankBonus' else 'nftLevelBonus' end,
        i.id::text, ${POOL("i.asset = 'USD'")}, ${WALLET('i.beneficiary_id', "i.asset = 'USD'")},
        i.amount - i.reversed, i.settled_at, i.programme_version, i.transfer_id
      from reward_instant i
      where i.transfer_id is not null`,
  }),
  {
    invariant: 'I10',
    title: 'an instant reward is its share of its base by the programme that it names, and paid only once it was due',
    ...rowRule(
      `select i.id, i.kind, i.base, i.percent, i.amount from reward_instant i join reward_programme p on p.version = i.programme_version
      left join reward_source s on i.cause_type = 'source' and s.id = i.cause_id
      where case when i.kind = 'rank' then i.percent is not null or not exists (select from jsonb_array_elements(p.ranks) r
            where r ->> 'rank' = i.rank and (r ->> 'bonus')::bigint = i.amount and (r ->> 'teamStake')::bigint <= i.base)
          else i.percent is null or i.amount <> case when i.kind = 'level' then
              div(i.base::numeric * i.percent * least(s.steps, p.full_level_share_days), 10000000000::numeric * p.full_level_share_days)
              else reward_share(i.base, i.percent) end or i.percent <> all (
            case i.kind when 'referral' then array[p.referral_percent] when 'nft-level' then p.nft_level_percents
              else p.level_percents || p.stake_log_level_percents end) end
        or (i.status = 'paid') and i.transfer_id is null or i.status in ('held', 'owed') and i.transfer_id is not null
        or (i.transfer_id is null) <> (i.settled_at is null) or i.settled_at < i.release_at
        or i.base_returned <> 0 and i.kind <> 'referral'
        or i.kind = 'referral' and i.reversed < div(i.amount::numeric * i.base_returned + i.base - 1, nullif(i.base, 0))`,
      (at) => ({ reward_instant: [at('created_at'), at('settled_at')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'coin sold within the hold of a referral reward reversed its part of the reward',
    sql: SOLD_WITHIN_HOLD,
    afterClose: {
      within: (window) =>
        overRows(SOLD_WITHIN_HOLD, {
          ledger_transfer: [inSql('id', window.own)],
          reward_instant: [atSql('release_at', { ...window, until: undefined })],
        }),
    },
  },
  {
    invariant: 'I10',
    title: 'the counters of instant rewards match the rewards',
    sql: `select coalesce(t.member_id, i.member_id) as member_id, t.rows, i.rows as found from (select * from reward_counter where rows <> 0 or amount <> 0) t
      full join (select beneficiary_id as member_id, kind, status, count(*) as rows, sum(amount) as amount from reward_instant where in_counters group by 1, 2, 3) i
        on i.member_id = t.member_id and i.kind = t.kind and i.status = t.status
      where t.rows is distinct from i.rows or t.amount is distinct from i.amount
      union all
      select coalesce(w.member_id, i.member_id), w.amount, i.amount from (select * from reward_week where amount <> 0) w
      full join (select * from (select beneficiary_id as member_id, kind, date_trunc('week', created_at at time zone 'UTC')::date as starts_on,
          sum(amount - reversed) as amount from reward_instant where in_counters group by 1, 2, 3) s where amount <> 0) i
        on i.member_id = w.member_id and i.kind = w.kind and i.starts_on = w.starts_on
      where w.amount is distinct from i.amount`,
  },
  factCheck({
    invariant: 'I17',
    title: 'each payment into the reward pool, the sales fund or an RCM wallet matches its audit entry',
    kinds: ['fundRewardPool', 'fundSales', 'rcmCredit'],
    compare: ['created_at'],
    facts: `
      select 'fundRewardPool', e.subject_id, case when e.detail ->> 'source' = 'operator' then
          case e.detail ->> 'asset' when 'USD' then ${systemSql('SYS-OPERATOR', 'USD')} else ${systemSql('SYS-OPERATOR', 'COIN')} end
          else case e.detail ->> 'asset' when 'USD' then ${systemSql('SYS-SALES', 'USD')} else ${systemSql('SYS-COIN', 'COIN')} end end,
        ${POOL("e.detail ->> 'asset' = 'USD'")}, (e.detail ->> 'amount')::bigint, e.at
      from audit_event e where e.action = 'rewards.fund-pool' and e.detail ->> 'into' = 'rewards'
      union all
      select 'fundSales', e.subject_id, ${systemSql('SYS-OPERATOR', 'USD')}, ${systemSql('SYS-SALES', 'USD')}, (e.detail ->> 'amount')::bigint, e.at
      from audit_event e where e.action = 'rewards.fund-pool' and e.detail ->> 'into' is distinct from 'rewards'
      union all
      select 'rcmCredit', e.detail ->> 'credit', ${systemSql('SYS-REWARD', 'COIN')}, ${walletSql('e.subject_id::bigint', 'rcmWallet')},
        (e.detail ->> 'amount')::bigint, e.at from audit_event e where e.action = 'rewards.credit-rcm'`,
  }),
]
