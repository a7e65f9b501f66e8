-- What the network took for moves is booked with what it took for payouts.
-- Staff see what other tokens came to the address of a deposit.
-- published: chain_move, chain_strange

-- What the watcher knows of the real chain (BEP20 tokens). Nothing here is money: deposits credit what is final.

-- Hours in which addresses are given. An address belongs to one generation (the hour, counted from 1970) and has an index in it, so that
-- a restored database never gives an address a second time. `database` names the copy of the database that opened the hour.
create sequence chain_address_place minvalue 0;
create table chain_address_generation (
  generation int primary key,
  -- Value of the sequence before the first address of the hour.
  first_place bigint not null,
  database text not null
);

-- Addresses of invoices, each for one invoice. `place` is generation * 2^31 + index, as in the key's path. An address without an
-- invoice was derived after a restore: the lost part of the database may have shown it to a member.
create table chain_address (
  address text primary key check (address = lower(address)),
  place bigint not null unique,
  invoice_id text unique
);

-- Hours whose addresses the database may have forgotten: after a restore, and before the chain is read again. Their next indexes are
-- derived until enough of them in a row were never used on the chain. No block is read before.
create table chain_address_recovery (
  id bigint generated always as identity primary key,
  database text not null,
  begun_at timestamptz not null,
  next_generation int not null,
  last_generation int not null,
  ended_at timestamptz,
  check (ended_at is null or next_generation > last_generation)
);
create index chain_address_recovery_open on chain_address_recovery (id) where ended_at is null;

-- How far the chain was read. `block` is the end of the quick pass, up to which transfers are seen; `final_block` that of
-- the pass at depth, which reads everything again and is what credits rest on.
create table chain_cursor (
  chain_id bigint primary key,
  block bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  final_block bigint not null,
  -- When the chain was last read to its head, by our clock, and the time stamps of the heads then: of the node and of the second source.
  seen_at timestamptz not null,
  head_at timestamptz,
  witness_head_at timestamptz,
  -- Up to where the newest addresses were looked through for tokens of others.
  strange_block bigint
);

-- Contracts that are none of ours and said that they sent something to an address of ours. Only their addresses are known: what they
-- call themselves, and how much they say, is nobody's word.
create table chain_strange (
  chain_id bigint not null,
  address text not null references chain_address (address),
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  transfers bigint not null check (transfers > 0),
  -- One of the transactions.
  tx_hash text not null,
  seen_at timestamptz not null,
  primary key (chain_id, address, token)
);
create index chain_strange_by_address on chain_strange (address);
create index chain_strange_by_age on chain_strange (seen_at);

-- Blocks whose hash is remembered, so that a reorganisation is noticed and its beginning found.
create table chain_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  block_time timestamptz not null,
  primary key (chain_id, number)
);

-- What our own keys move: tokens away from the addresses of invoices, and before that the chain's own coin to them, as gas.
-- Signed and stored before it is sent; one move for each number of a wallet.
create table chain_move (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  kind text not null check (kind in ('GAS', 'SWEEP')),
  wallet text not null check (wallet = lower(wallet)),
  nonce bigint not null check (nonce >= 0),
  -- The address that it takes from, or gives gas to.
  address text not null references chain_address (address),
  to_address text not null,
  token text check ((token is null) = (kind = 'GAS')),
  -- In the smallest unit.
  amount numeric(78, 0) not null check (amount > 0),
  state text not null check (state in ('SIGNED', 'DONE', 'FAILED')),
  made_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'SIGNED')),
  -- Wei of the chain's own coin that the network took.
  gas_paid numeric(78, 0),
  -- The one of its transactions that did it.
  mined_hash text check ((mined_hash is null) = (state = 'SIGNED')),
  unique (chain_id, wallet, nonce)
);
create unique index chain_move_open on chain_move (chain_id, address) where state = 'SIGNED';
create index chain_move_by_address on chain_move (address, made_at);
create index chain_move_by_end on chain_move (ended_at) where ended_at is not null;

-- The transactions of a move: the first, and others with the same number and a higher fee where it got into no block.
create table chain_move_transaction (
  hash text primary key,
  move_id bigint not null references chain_move (id),
  raw text not null,
  gas_price numeric(78, 0) not null check (gas_price >= 0),
  made_at timestamptz not null,
  sent_at timestamptz
);
create index chain_move_transaction_by_move on chain_move_transaction (move_id);

-- Transfers of the tokens to our addresses. The ordinal counts inside the transaction: unlike the index of a log it stays
-- when a reorganisation moves the transaction to another block (invariant I8).
create table chain_transfer (
  id bigint generated always as identity unique,
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
  -- The watcher's word that it was final with all of this, by a key that the database has not.
  final_seal bytea,
  -- The move that takes it away from its address, or took it.
  swept_by bigint references chain_move (id),
  primary key (chain_id, tx_hash, token, address, ordinal)
);
-- What is final and still lies at its address.
create index chain_transfer_to_sweep on chain_transfer (chain_id, token, address) where state = 'FINAL' and swept_by is null;
create index chain_transfer_swept on chain_transfer (swept_by) where swept_by is not null;
create index chain_transfer_by_time on chain_transfer using brin (block_time) with (autosummarize = on, pages_per_range = 16);
create index chain_transfer_by_address on chain_transfer (address);
create index chain_transfer_unconfirmed on chain_transfer (chain_id, block) where state = 'SEEN';
create index chain_transfer_by_block on chain_transfer (chain_id, block) where state <> 'GONE';

-- What two people answer. FINAL_GONE, TOO_DEEP: a reorganisation deeper than finality, or than the stored blocks. WALLET_SPENT: money left
-- a hot wallet without a payout. PAYOUT_GONE: a payout that had ended is in the chain no more, and was sent again. UNCLAIMED: a payment to an address that no invoice of this database has; it stops no payouts.
create table chain_incident (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('FINAL_GONE', 'TOO_DEEP', 'WALLET_SPENT', 'PAYOUT_GONE', 'UNCLAIMED')),
  noted_at timestamptz not null,
  -- From which block on, and which transfers it took; for a wallet what it lacks.
  from_block bigint not null,
  transfers jsonb not null,
  -- Since when two people have said that all has been done that it takes; until then nothing is paid out.
  answered_at timestamptz
);
create index chain_incident_open on chain_incident (id) where answered_at is null;

-- Where the hourly comparison of the chain with the books goes on: behind which address, and when it was last there.
create table chain_check (
  chain_id bigint primary key,
  after_place bigint not null,
  checked_at timestamptz not null
);

-- What differs between the chain and the books at an address: money that was not seen coming or is not there (in the token's smallest unit),
-- or that was not credited (in units); or what an account of the ledger says of money from or to outside. What only one round has found may have been on its way.
create table chain_difference (
  kind text not null check (kind in ('UNSEEN', 'MISSING', 'UNCREDITED', 'DEPOSITS', 'PAYOUTS')),
  subject text not null,
  expected numeric(78, 0) not null,
  found numeric(78, 0) not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  primary key (kind, subject)
);

-- Sums over what the hourly comparison of chain and books has read and what does not change any more, so that a round reads what came
-- since. Sealed by a key that the database has not; one that is missing, or is not the house's own, is made anew from everything.
create table chain_checkpoint (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  part text not null check (part in ('BOOKS', 'WALLETS')),
  -- What happened before the moment is in the sums, and of transfers what came up to the block.
  until timestamptz not null,
  until_block bigint not null,
  sums jsonb not null,
  seal bytea not null,
  unique (chain_id, part)
);

-- What each hot wallet held of each token when it was last looked at, and what payouts in blocks had taken from it by then: both
-- together never shrink.
create table chain_reserve (
  chain_id bigint not null,
  wallet text not null,
  token text not null,
  balance numeric(78, 0) not null check (balance >= 0),
  paid numeric(78, 0) not null check (paid >= 0),
  seen_at timestamptz not null,
  primary key (chain_id, wallet, token)
);
