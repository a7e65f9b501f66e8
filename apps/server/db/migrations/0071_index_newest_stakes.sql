-- The newest stakes of either kind of a member (the team tree shows them per person). Without it, the planner may walk
-- the primary key backwards past everybody else's stakes.
create index stake_newest_by_member on stake (member_id, id desc);
