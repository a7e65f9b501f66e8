-- How far the rewards of a stake or NFT are, for those who sold it: it is named by the id that members know.
create view reward_progress as
  select public_id, counted, times, distributed, distributed_at from reward_source;
