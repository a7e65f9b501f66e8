-- Whoever shows balances of past days begins here.
-- published: wallet_day

-- The last ledger transfer of each UTC day, so that balances at the end of a day are a few index look-ups however long
-- the history is.
create table wallet_day (
  day date primary key,
  last_transfer_id bigint not null,
  marked_at timestamptz not null
);
