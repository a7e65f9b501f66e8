-- A stake's or NFT's reward progress for its seller's module, by public id.
create view reward_progress as
  select public_id, counted, times, distributed, distributed_at from reward_source;
