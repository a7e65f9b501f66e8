-- The planner shows what is held for a member and when it is paid, however long the history is.
create index reward_instant_held on reward_instant (beneficiary_id, release_at) where status = 'held';
