import { type AuditCheck, rowRule } from '../../ledger/index.ts'

/**
 * `ledger:audit` checks of liabilities. The checks compute the liabilities again from sales and pending rewards, and find rewards that were
 * reversed without a cause.
 */
export const liabilityChecks: readonly AuditCheck[] = [
  {
    invariant: 'I10',
    title: 'the bounty of each reward source follows from its amount and the reward programme in force at its sale',
    ...rowRule(
      `select s.id, s.bounty from reward_source s join reward_programme p on p.version = s.programme_version
      cross join lateral (select sum(reward_share(s.amount, percent)) as most
        from unnest(case s.stream when 0 then p.bounty_percents when 1 then p.stake_log_bounty_percents else p.nft_bounty_percents end) percent) b
      where s.bounty <> b.most`,
      (at) => ({ reward_source: [at('starts_at')] }),
    ),
  },
  {
    invariant: 'I17',
    title: 'each cancelled reward was cancelled because its purchase was reversed, or by two staff members with a reason',
    ...rowRule(
      `select i.id, i.kind, i.reversed, i.cancel_reason from reward_instant i join member m on m.id = i.beneficiary_id
      left join reward_source s on i.cause_type = 'source' and s.id = i.cause_id
      where i.cancel_reason is null and case i.kind when 'referral' then i.reversed <> div(i.amount::numeric * i.base_returned + i.base - 1, nullif(i.base, 0))
          when 'rank' then i.reversed <> 0 else i.reversed <> case when s.reversed_at is null then 0 else i.amount end end
        or i.cancel_reason is not null and (i.status <> 'reversed' or i.transfer_id is not null or not exists (
          select from audit_event e where e.action = 'staff.rewards.cancel' and e.subject_id = m.public_id and e.outcome = 'ok'
            and e.reason = i.cancel_reason and (e.detail ->> 'newest')::bigint >= i.id and e.detail ? 'approvedBy'))`,
      (at) => ({ reward_instant: [at('created_at'), at('settled_at'), at('release_at')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'the promised rewards are the future rewards of running sources, open rank budgets, incomplete bonuses and the rewards on hold',
    sql: `with wanted as (
        select kind, sum(amount) as amount from (
          select (array['daily', 'stake-log', 'nft-monthly'])[stream + 1] as kind, amount::numeric * (steps - processed) as amount
          from reward_source where reversed_at is null
          union all
          select (array['profit-bounty', 'stake-log-bounty', 'nft-profit-bounty'])[stream + 1], bounty::numeric * (steps - processed)
          from reward_source where reversed_at is null
          union all
          select 'rank', rank_budget from reward_source where reversed_at is null and rank_settled_at is null
          union all
          select 'rank', filled from reward_rank_bonus where filled < bonus
          union all
          select kind, amount - reversed from reward_instant where status = 'held' and is_liability) open group by kind
      ), noted as (
        select kind, sum(amount) as amount from (
          select kind, amount::numeric as amount from reward_liability
          union all select kind, amount::numeric * steps from reward_liability_pending) notes group by kind
      )
      select kind, wanted.amount as wanted, noted.amount as noted from wanted full join noted using (kind)
      where coalesce(wanted.amount, 0) <> coalesce(noted.amount, 0)
      union all
      select p.kind, p.run_id, null from reward_liability_pending p
      where p.run_id is not null and not exists (select from reward_run r where r.id = p.run_id and r.status = 'RECORDING')`,
  },
]
