-- Reward progress of a stake or NFT by public id, for the modules staking and nfts.
create view reward_progress as
  select public_id, processed, steps, distributed, distributed_at from reward_source;
