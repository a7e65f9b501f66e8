import { type AuditCheck, rowRule } from '../../ledger/index.ts'

/** `ledger:audit` checks of rank budgets and rank bonuses (RW-05). The checks share no code with the distribution. */
export const rankChecks: readonly AuditCheck[] = [
  {
    invariant: 'I10',
    title: 'each stake carries the rank budget of the programme that it was sold under',
    ...rowRule(
      `select s.id, s.rank_budget from reward_source s join reward_programme p on p.version = s.programme_version
      where s.stream < 2 and not s.is_imported and s.rank_budget <> coalesce((
        select max(div(s.principal::numeric * (r ->> 'bonus')::numeric * least(s.steps, 365), (r ->> 'teamStake')::numeric * 365))
        from jsonb_array_elements(p.ranks) r), 0)`,
      (at) => ({ reward_source: [at('starts_at')] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'a rank budget is open, reversed, or distributed once, within its amount, to uplines of the staker',
    ...rowRule(
      `select s.id, s.rank_budget, sum(h.amount) as handed_out from reward_source s left join reward_rank_share h on h.source_id = s.id
      where s.stream < 2 group by s.id, s.rank_budget, s.rank_settled_at, s.reversed_at, s.processed, s.steps, s.member_id
      having sum(h.amount) > s.rank_budget or s.rank_settled_at is null and count(h.amount) > 0
        or s.rank_settled_at is not null and (s.reversed_at is not null or s.processed < s.steps)
        or bool_or(h.at <> s.rank_settled_at or h.member_id = s.member_id or not team_is_within(h.member_id, s.member_id))
          filter (where h.source_id is not null)`,
      (at) => ({ reward_source: [at('starts_at'), `id in (select source_id from public.reward_rank_share where ${at('at')})`] }),
    ),
  },
  {
    invariant: 'I10',
    title: 'each rank bonus is filled by rank budgets, keeps the terms of its programme, and becomes payable when complete',
    ...rowRule(
      `select coalesce(b.member_id, h.member_id) as member_id, coalesce(b.rank, h.rank) as rank, b.filled, h.amount from reward_rank_bonus b
      full join (select member_id, rank, sum(amount) as amount from reward_rank_share group by 1, 2) h on h.member_id = b.member_id and h.rank = b.rank
      left join reward_programme p on p.version = b.programme_version
      left join reward_instant i on i.kind = 'rank' and i.beneficiary_id = b.member_id and i.rank = b.rank
      where b.filled is distinct from h.amount or b.filled > b.bonus or (b.filled = b.bonus) <> (i.id is not null)
        or i.amount <> b.bonus or i.programme_version <> b.programme_version or i.created_at <> b.completed_at
        or not exists (select from jsonb_array_elements(p.ranks) r where r ->> 'rank' = b.rank and (r ->> 'bonus')::bigint = b.bonus
          and (r ->> 'teamStake')::bigint = b.team_stake)
      union all
      select i.beneficiary_id, i.rank, null, i.amount from reward_instant i
      where i.kind = 'rank' and not exists (select from reward_rank_bonus b where b.member_id = i.beneficiary_id and b.rank = i.rank)`,
      (at) => {
        const shared = `(member_id, rank) in (select member_id, rank from public.reward_rank_share where ${at('at')})`
        return {
          reward_rank_share: [shared],
          reward_rank_bonus: [shared, at('started_at'), at('completed_at')],
          reward_instant: [
            `kind = 'rank' and (beneficiary_id, rank) in (select member_id, rank from public.reward_rank_share where ${at('at')})`,
          ],
        }
      },
    ),
  },
]
