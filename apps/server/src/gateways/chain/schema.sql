-- The play chain of the sandbox: payments made with play money on the invoice page. Empty outside a sandbox.
create table sandbox_transfer (
  id bigint generated always as identity primary key,
  address text not null,
  amount bigint not null check (amount > 0),
  tx_hash text not null unique,
  block_time timestamptz not null,
  mined_at timestamptz not null
);
create index sandbox_transfer_by_address on sandbox_transfer (address);
