import { type AuditCheck, factCheck, walletSql, rowRule } from '../../ledger/index.ts'

const SOURCE = `s.member_id * 16 + case s.wallet when 'mywallet' then 3 else 2 end`
const RESTING = walletSql('s.member_id', 'stakeWallet')

/** Checks of `ledger:audit` on stakes. The checks share no code with staking. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I2',
    title: 'each stakeWallet holds the principal of the running stakes',
    sql: `with resting as (select member_id, sum(amount) as amount from stake where status = 'ACTIVE' group by member_id)
      select a.owner_id, a.balance, r.amount from ledger_account a left join resting r on r.member_id = a.owner_id
      where a.kind = 'stakeWallet' and a.balance <> coalesce(r.amount, 0)`,
  },
  {
    invariant: 'I11',
    title: 'the running volume of each team is the coin of the stakes that run below its leader, beside the running stakes of the member',
    sql: `with recursive own as (
        select member_id, sum(amount) as amount from (
          select member_id, amount from stake where status = 'ACTIVE'
          union all select member_id, -running from team_pending_delta) e group by member_id having sum(amount) <> 0
      ), above as (
        select t.sponsor_id as leader, own.amount from own join team_member t on t.member_id = own.member_id where t.sponsor_id is not null
        union all
        select t.sponsor_id, above.amount from above join team_member t on t.member_id = above.leader where t.sponsor_id is not null
      ), found as (select leader, sum(amount) as amount from above group by leader)
      select coalesce(f.leader, t.member_id) as leader, t.running, f.amount from found f full join team_total t on t.member_id = f.leader
      where coalesce(t.running, 0) <> coalesce(f.amount, 0)
      union all
      select coalesce(own.member_id, t.member_id), t.own_running, own.amount from own full join team_total t on t.member_id = own.member_id
      left join team_member m on m.member_id = t.member_id
      where coalesce(t.own_running, 0) <> coalesce(own.amount, 0) or t.own_running <> 0 and t.sponsor_id is distinct from m.sponsor_id`,
  },
  factCheck({
    invariant: 'I4',
    title: 'each stake moved its principal once out of the wallet that it names',
    kinds: ['stake'],
    compare: ['created_at', 'rule_version', 'id'],
    facts: `select 'stake', s.public_id, ${SOURCE}, ${RESTING}, s.amount, s.started_at, s.programme_version, s.transfer_id from stake s
      where s.imported_at is null`,
  }),
  factCheck({
    invariant: 'I4',
    title: 'each ended or reversed stake returned its principal once, to the wallet that paid it',
    kinds: ['stakeMatured', 'stakeReversed'],
    compare: ['created_at', 'rule_version'],
    facts: `select case s.status when 'REVERSED' then 'stakeReversed' else 'stakeMatured' end, s.public_id, ${RESTING}, ${SOURCE}, s.amount,
        coalesce(s.reversed_at, s.matured_at), s.programme_version from stake s where s.status <> 'ACTIVE'`,
  }),
  {
    invariant: 'I10',
    title: 'a day of a stake pays amount x apy / 100 / days, rounded down, and no stake ends before its time',
    ...rowRule(
      `select s.public_id, s.amount, s.apy, s.duration_days, s.daily_reward from stake s
      where s.daily_reward <> div(s.amount::numeric * s.apy, 10000000000 * s.duration_days::numeric)
        or s.matured_at < s.matures_at or s.reversed_at >= s.matures_at`,
      (at) => ({ stake: [at('started_at'), at('coalesce(reversed_at, matured_at)')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'the rewards of each stake have the terms of its sale, count while it lasts, and end with it',
    ...rowRule(
      `select coalesce(s.public_id, r.public_id) as stake from stake s
      full join (select * from reward_source where stream < 2) r on r.public_id = s.public_id
      where s.id is null or r.id is null or r.stream <> s.is_omega::int or r.member_id <> s.member_id or r.principal <> s.amount
        or r.percent <> s.apy or r.amount <> s.daily_reward or r.steps <> s.duration_days or r.starts_at <> s.started_at
        or r.ends_at <> s.matures_at or r.programme_version <> s.programme_version or r.is_imported <> (s.imported_at is not null) or r.reversed_at is distinct from s.reversed_at
        or s.status = 'COMPLETED' and r.processed < r.steps or (s.status = 'COMPLETED' and r.rank_budget > 0) <> (r.rank_settled_at is not null)`,
      (at) => {
        // Checks running stakes every time.
        const sold = [at('started_at'), `status = 'ACTIVE'`, at('coalesce(reversed_at, matured_at)')]
        const sources = sold.map((way) => `select public_id from public.stake where ${way}`).join(' union all ')
        return { stake: sold, reward_source: [at('starts_at'), `public_id in (${sources})`] }
      },
    ),
  },
]
