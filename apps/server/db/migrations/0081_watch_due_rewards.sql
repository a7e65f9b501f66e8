-- What is due is looked for where it can be. Rewards of a stake fall due at one time of the day, that of its start, and
-- those of an NFT at that of its purchase. The time never changes, so that counting a paid day still changes no index.
create index stake_by_time on stake (((started_at at time zone 'UTC')::time));
create index nft_purchase_by_time on nft_purchase (((purchased_at at time zone 'UTC')::time));

-- Up to `clear_through` no reward waits of the stakes and NFTs up to the seen ids: only what falls due later, and what is
-- new, has to be looked at. Null: look at everything.
create table reward_watch (
  one boolean primary key default true check (one),
  clear_through timestamptz,
  seen_stake bigint not null default 0,
  seen_nft bigint not null default 0
);
insert into reward_watch default values;
