-- Coin that counts for a member's rank (RW-05). One direct referral can contribute at most half of a threshold. A branch that is larger
-- than all other branches together counts only with the sum of the others. A threshold then requires that the others hold half of this
-- threshold.
create view team_rank_stake as
  select t.member_id, t.running, least(t.running, 2 * (t.running - coalesce(largest.branch_running, 0))) as counted
  from team_total t left join lateral (
    select b.branch_running from team_total b where b.sponsor_id = t.member_id and b.branch_running > 0 order by b.branch_running desc limit 1
  ) largest on true;
