import { atSql, type AuditCheck, rowRule } from '../../ledger/index.ts'
import { inRuns, runRule } from './audit-runs.ts'
import { paidChecks } from './audit-paid.ts'
import { liabilityChecks } from './audit-liabilities.ts'
import { rankChecks } from './audit-ranks.ts'

/**
 * SQL: checks accruals in a range against their sources, step by step, without reading earlier accruals. An accrual has the due time of its
 * step, the amount of its source and at most the source's share so far. For NFTs the SQL sums the paid months.
 */
const LIFE = (inRange: string, isSold: string) => `
  select f.source_id as source, f.ordinal::numeric as paid from reward_accrual f
  left join reward_source s on s.id = f.source_id and s.stream = f.stream and s.member_id = f.member_id
  where ${inRange} and (s.id is null or f.amount <> s.amount or f.ordinal > s.processed or f.due_at > s.ends_at
    or s.amount::numeric * s.steps * 10000000000 > s.principal::numeric * s.percent
    or f.due_at <> ((s.starts_at at time zone 'UTC') + f.ordinal * case when s.stream = 2 then interval '1 month' else interval '1 day' end) at time zone 'UTC'
    or exists (select from reward_accrual o where o.member_id = f.member_id and o.stream = f.stream and o.due_at = f.due_at
      and o.source_id = f.source_id and o.ctid <> f.ctid))
  union all
  select s.id, s.distributed from (select * from reward_source where ${isSold}
    union select * from reward_source where stream = 2 and id in (select source_id from reward_accrual where stream = 2 and ${inRange})) s
  where s.distributed <> case when s.stream < 2 then 0 else coalesce((
    select sum(f.amount) from reward_accrual f where f.member_id = s.member_id and f.stream = 2 and f.source_id = s.id), 0) end`

/** `ledger:audit` checks of rewards and teams. The checks share no code with the payment of rewards. */
export const auditChecks: readonly AuditCheck[] = [
  ...paidChecks,
  ...liabilityChecks,
  ...rankChecks,
  {
    invariant: 'I10',
    title: 'each source is rewarded once per day or month',
    ...runRule(
      `select stream, source_id, ordinal, count(*) from reward_accrual group by 1, 2, 3 having count(*) > 1
      union all select stream, source_id, extract(epoch from due_at)::bigint, count(*) from reward_accrual group by 1, 2, 3 having count(*) > 1`,
    ),
  },
  {
    invariant: 'I10',
    title: 'a source pays at most principal x percent / 100 in its life, only inside it, to its member, and what was counted',
    afterClose: { within: async (window, ask) => LIFE(await inRuns('run_id', window, ask), atSql('starts_at', window)) },
    sql: `select coalesce(s.id, f.source_id) as source, sum(f.amount) as paid from reward_source s
      full join reward_accrual f on f.source_id = s.id and f.stream = s.stream and f.member_id = s.member_id
      group by s.id, f.source_id
      having s.id is null or sum(f.amount) * 10000000000 > s.principal::numeric * s.percent or bool_or(f.due_at <= s.starts_at)
        or bool_or(f.due_at > s.ends_at) or bool_or(f.ordinal > s.processed) or bool_or(f.amount <> s.amount)
        or s.distributed <> case when s.stream = 2 then coalesce(sum(f.amount), 0) else 0 end`,
  },
  {
    invariant: 'I10',
    title: 'an event earns each reward once',
    ...rowRule(
      `select cause_type, cause_id, kind, beneficiary_id, level, count(*) from reward_instant group by 1, 2, 3, 4, 5 having count(*) > 1`,
      (at) => ({
        reward_instant: [at('created_at'), `cause_id in (select cause_id from public.reward_instant where ${at('created_at')})`],
      }),
    ),
  },
  {
    // This check replaces foreign keys, because the keys' checks would cost a sale as much as the sale's rewards.
    invariant: 'I10',
    title: 'an instant reward goes to the sponsor of its level above the buyer, by an existing programme',
    ...rowRule(
      `select i.id, i.kind, i.beneficiary_id from reward_instant i
      left join team_member one on one.member_id = i.source_member_id left join team_member two on two.member_id = one.sponsor_id
      left join team_member three on three.member_id = two.sponsor_id left join team_member four on four.member_id = three.sponsor_id
      left join team_member five on five.member_id = four.sponsor_id
      left join member m on m.id = i.beneficiary_id left join reward_programme p on p.version = i.programme_version
      where m.id is null or p.version is null or case i.kind when 'rank' then i.source_member_id is not null or i.level <> 0
        else i.beneficiary_id is distinct from (array[one.sponsor_id, two.sponsor_id, three.sponsor_id, four.sponsor_id, five.sponsor_id])[i.level] end`,
      (at) => ({ reward_instant: [at('created_at')] }),
    ),
  },
  {
    invariant: 'I11',
    title: 'each member is below the sponsor of the registration, and the graph is a forest',
    sql: `select m.id from member m left join team_member t on t.member_id = m.id left join team_member s on s.member_id = t.sponsor_id
      left join team_member j on j.member_id = s.jump_id
      where t.member_id is null or t.sponsor_id is distinct from m.sponsor_id or t.sponsor_id >= t.member_id
        or t.depth is distinct from coalesce(s.depth + 1, 0)
        or (t.jump_id, t.jump_depth) is distinct from case when s.member_id is null then (t.member_id, 0)
          when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then (j.jump_id, j.jump_depth) else (s.member_id, s.depth) end`,
  },
  {
    invariant: 'I18',
    title: 'business days follow each other, and no reward is due after its run',
    ...runRule(
      `select d.day::text as what from reward_day d
      where d.day > (select min(day) from reward_day) and not exists (select 1 from reward_day b where b.day = d.day - 1 and b.status = 'DONE')
      union all
      select 'run ' || r.id from reward_run r where r.last_due > r.through or r.through >= (r.day + 1)::timestamp at time zone 'UTC'`,
    ),
  },
  {
    invariant: 'I19',
    title: 'the rows of a run add up to its credits',
    ...runRule(
      `select coalesce(c.run_id, f.run_id) as run_id, coalesce(c.stream, f.stream) as stream, c.daily, f.daily as accruals
      from (select run_id, stream, sum(daily) as daily, sum(n0) as n from reward_credit
        where run_id not in (select id from reward_run where status = 'RECORDING') group by 1, 2) c
      full join (select f.run_id, f.stream, sum(f.amount) as daily, count(*) as n from reward_accrual f join reward_run r on r.id = f.run_id
        where r.status <> 'RECORDING' group by 1, 2) f on f.run_id = c.run_id and f.stream = c.stream
      where c.daily is distinct from f.daily or c.n is distinct from f.n`,
    ),
  },
  {
    invariant: 'I10',
    title: 'each reward of a sale has its sale, and a reversed sale has none',
    ...rowRule(
      `select i.id, i.status from reward_instant i left join reward_source s on s.id = i.cause_id
      where i.cause_type = 'source' and (s.id is null or i.cause_public_id is distinct from s.public_id
        or i.cause_amount is distinct from s.principal or (s.reversed_at is not null and i.status <> 'reversed'))`,
      (at) => ({
        reward_instant: [
          at('created_at'),
          `kind in ('level', 'nft-level') and cause_id in (select id from public.reward_source where ${at('reversed_at')})`,
        ],
      }),
    ),
  },
  {
    invariant: 'I10',
    title: 'a level reward is due when its stake matures or with the first month of its NFT, and is not paid before that step was counted',
    ...rowRule(
      `select i.id, i.status, i.release_at, s.starts_at from reward_instant i join reward_source s on s.id = i.cause_id
      where i.kind in ('level', 'nft-level') and (i.kind <> case when s.stream = 2 then 'nft-level' else 'level' end
        or i.release_at <> ((s.starts_at at time zone 'UTC') + case when s.stream = 2 then interval '1 month' else s.steps * interval '24 hours' end)
          at time zone 'UTC'
        or i.status in ('owed', 'paid') and s.processed < case when s.stream = 2 then 1 else s.steps end)`,
      (at) => ({ reward_instant: [at('created_at'), at('settled_at'), at('release_at')] }),
    ),
  },
  {
    invariant: 'I4',
    title: 'a deposit of USD is new money, but for debts: what reversed deposits could not take, less what later deposits paid',
    sql: `select gap.account, sum(gap.missing) as owed, w.owed as stored from (
        select t.debit_account as account, t.amount - coalesce(t.new_money, 0) - coalesce(r.amount, 0) as missing
        from ledger_transfer t left join ledger_new_money_return r on r.transfer_id = t.id
        where t.kind = 'reversal' and t.debit_account > 0 and t.credit_account / 100 = -21
        union all
        select t.credit_account, coalesce(t.new_money, 0) - t.amount from ledger_transfer t where t.kind = 'deposit' and coalesce(t.new_money, 0) < t.amount
        union all
        select account, 0 from ledger_new_money_debt) gap
      left join ledger_new_money_debt w on w.account = gap.account
      group by gap.account, w.owed having sum(gap.missing) <> coalesce(w.owed, 0)`,
  },
  {
    invariant: 'I4',
    title: 'the referral rewards reversed by a bridge are part of all reversed ones',
    sql: `select s.reward_id, sum(s.coin) as sent, i.base_returned from reward_sent_coin s left join reward_instant i on i.id = s.reward_id
      group by s.reward_id, i.base_returned having sum(s.coin) > coalesce(i.base_returned, 0)`,
  },
]
