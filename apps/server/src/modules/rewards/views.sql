-- Reward progress of a stake or NFT for its seller's module, by public id.
create view reward_progress as
  select public_id, counted, times, distributed, distributed_at from reward_source;
