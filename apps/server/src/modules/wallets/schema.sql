-- Other modules may read this table, because they need past balances.
-- published: wallet_day

-- The last ledger transfer per UTC day, so that end-of-day balances are a few index lookups for any history.
create table wallet_day (
  day date primary key,
  last_transfer_id bigint not null,
  marked_at timestamptz not null
);
