-- The coin that counts for a member's rank (RW-05): at most half of a threshold from one direct referral. If the branch of one
-- direct referral is larger than all others together, it counts only as much as they do. The threshold is then reached when the
-- others hold half of it.
create view team_rank_stake as
  select t.member_id, t.running, least(t.running, 2 * (t.running - coalesce(largest.branch_running, 0))) as counted
  from team_total t left join lateral (
    select b.branch_running from team_total b where b.sponsor_id = t.member_id and b.branch_running > 0 order by b.branch_running desc limit 1
  ) largest on true;
