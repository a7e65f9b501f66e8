-- Other modules may read this table, because reports show past balances.
-- published: wallet_day

-- Id of the last ledger transfer per UTC day, so that a query finds the balances at the end of a day with a few index lookups.
create table wallet_day (
  day date primary key,
  last_transfer_id bigint not null,
  marked_at timestamptz not null
);
