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

-- What the watcher knows of the real chain (BEP20 tokens). Nothing here is money: deposits credit what is final.

-- Addresses that were ever shown to somebody, each for one invoice for ever. `place` is the index below the extended public key.
create sequence chain_address_place as int minvalue 0;
create table chain_address (
  address text primary key check (address = lower(address)),
  place int not null unique,
  invoice_id text not null unique
);

-- How far the chain was read. `block` is the end of the quick pass, up to which transfers are seen; `final_block` that of
-- the pass at depth, which reads everything again and is what credits rest on.
create table chain_cursor (
  chain_id bigint primary key,
  block bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  final_block bigint not null,
  -- When a node last told its head, by our clock.
  seen_at timestamptz not null
);

-- Blocks whose hash is remembered, so that a reorganisation is noticed and its beginning found.
create table chain_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  block_time timestamptz not null,
  primary key (chain_id, number)
);

-- Transfers of the token to our addresses. The ordinal counts inside the transaction: unlike the index of a log it stays
-- when a reorganisation moves the transaction to another block (invariant I8).
create table chain_transfer (
  chain_id bigint not null,
  tx_hash text not null,
  address text not null references chain_address (address),
  ordinal int not null,
  token text not null,
  -- In the token's smallest unit, and in units of 10^-8, rounded down.
  exact_amount numeric(78, 0) not null check (exact_amount > 0),
  amount bigint not null check (amount >= 0),
  block bigint not null,
  block_time timestamptz not null,
  state text not null check (state in ('SEEN', 'FINAL', 'GONE')),
  primary key (chain_id, tx_hash, token, address, ordinal)
);
create index chain_transfer_by_address on chain_transfer (address);
create index chain_transfer_by_block on chain_transfer (chain_id, block) where state <> 'GONE';

-- What a person has to look at: a reorganisation deeper than what counts as final, or than what is remembered.
create table chain_incident (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('FINAL_GONE', 'TOO_DEEP')),
  noted_at timestamptz not null,
  -- From which block on, and which transfers it took.
  from_block bigint not null,
  transfers jsonb not null
);
