-- Other modules may read the tables that are named below: withdrawals books the network fees of moves and payouts together, and staff see
-- unsupported tokens, native coin at invoice addresses, and the balance of the hot wallet.
-- published: chain_move, chain_unknown_token, chain_difference, chain_reserve, signed_transaction

-- Data of the chain watcher (BEP20 tokens). These tables hold no balances: the module deposits credits final transfers.

-- Hours of address assignment. An address has a generation (hours since 1970) and an index within the hour. A restored database
-- therefore never assigns an address twice. `database` names the database copy that opened the hour.
create sequence chain_address_key_index minvalue 0;
create table chain_address_generation (
  generation int primary key,
  -- Sequence value before the hour's first address.
  first_key_index bigint not null,
  database text not null
);

-- Invoice addresses, each for one invoice. `key_index` is generation * 2^31 + index, as in the key's derivation path. A recovery adds
-- addresses without an invoice, because a member may have got such an address for an invoice that the restore lost.
create table chain_address (
  address text primary key check (address = lower(address)),
  key_index bigint not null unique,
  invoice_id text unique
);

-- Hours whose addresses a restored database may have lost. The watcher derives further addresses of these hours until enough
-- consecutive addresses were never used on the chain. Until then the watcher reads no block.
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

-- Progress of the watcher. `block` is the last block of the scan to the head (transfers in state SEEN). `final_block` is the last
-- block of the scan at finality depth, which reads all transfers again before their credit.
create table chain_cursor (
  chain_id bigint primary key,
  block bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  final_block bigint not null,
  -- Server time of the last scan to the head, and the head's block time at the node and at the second source.
  seen_at timestamptz not null,
  head_at timestamptz,
  second_head_at timestamptz,
  -- Last block scanned for unsupported tokens at the newest addresses.
  tokens_scanned_to bigint,
  -- Rejected token contracts, each with the reason. Two people decide about payments in such a token.
  rejected_tokens jsonb not null default '{}'
);

-- Unsupported token contracts with transfers to platform addresses. The row has no name and no amount, because the contract's
-- author can choose both freely.
create table chain_unknown_token (
  chain_id bigint not null,
  address text not null references chain_address (address),
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  transfers bigint not null check (transfers > 0),
  -- One transaction as an example.
  tx_hash text not null,
  seen_at timestamptz not null,
  primary key (chain_id, address, token)
);
create index chain_unknown_token_by_address on chain_unknown_token (address);
create index chain_unknown_token_by_age on chain_unknown_token (seen_at);

-- Saved block hashes, used to detect a reorganisation and find its start.
create table chain_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  block_time timestamptz not null,
  primary key (chain_id, number)
);

-- Moves: token sweeps from invoice addresses, and the gas that the platform sends to the address before a sweep. The signer stores
-- a move before sending. Each nonce of a wallet belongs to one move.
create table chain_move (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  kind text not null check (kind in ('GAS', 'SWEEP')),
  wallet text not null check (wallet = lower(wallet)),
  nonce bigint not null check (nonce >= 0),
  -- Invoice address: sends the tokens, or receives the gas.
  address text not null references chain_address (address),
  to_address text not null,
  token text check ((token is null) = (kind = 'GAS')),
  -- Amount in the smallest unit.
  amount numeric(78, 0) not null check (amount > 0),
  state text not null check (state in ('SIGNED', 'DONE', 'FAILED')),
  made_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'SIGNED')),
  -- Time of the next check for a reorganisation that removed the mined transaction. Null ends the checks.
  check_at timestamptz check (check_at is null or state <> 'SIGNED'),
  unique (chain_id, wallet, nonce)
);
-- An address has at most one open sweep and one open gas move. Both are open while gas is sent for a replacement of the sweep with a
-- higher fee.
create unique index chain_move_open on chain_move (chain_id, address, kind) where state = 'SIGNED';
create index chain_move_by_address on chain_move (address, made_at);
create index chain_move_by_end on chain_move (ended_at) where ended_at is not null;
create index chain_move_to_check on chain_move (chain_id, check_at) where check_at is not null;

-- Balances that the last attempt could not sweep, with the cause. A round tries the balance with the oldest attempt first, so that
-- no balance delays the others. The row is deleted after a sweep, or after a day without an attempt.
create table chain_sweep_problem (
  chain_id bigint not null,
  address text not null references chain_address (address),
  token text not null,
  problem text not null,
  since timestamptz not null,
  tried_at timestamptz not null,
  primary key (chain_id, address, token)
);
create index chain_sweep_problem_by_age on chain_sweep_problem (tried_at);

-- Outbox: signed transactions of the platform's wallets, stored before sending. The worker sends a transaction until it is mined. All
-- transactions of one owner have the same nonce, so the chain mines at most one.
create table signed_transaction (
  hash text primary key,
  -- The owner: a move, or a payout of the withdrawals module.
  move_id bigint references chain_move (id),
  request_id bigint,
  purpose text not null default 'PAYMENT' check (purpose in ('PAYMENT', 'CANCEL')),
  raw text not null,
  -- Wei per gas unit.
  gas_price numeric(78, 0) not null check (gas_price >= 0),
  made_at timestamptz not null,
  sent_at timestamptz,
  -- Block and network fee in wei of the mined transaction.
  block bigint,
  block_hash text,
  gas_used bigint,
  gas_paid numeric(78, 0),
  check (num_nonnulls(move_id, request_id) = 1),
  check ((block is null) = (block_hash is null))
);
-- Prevents the loss of signed transactions, because an amount may return only when none of the owner's transactions can arrive.
create trigger signed_transaction_stays before delete or update of hash, move_id, request_id, purpose on signed_transaction
  for each row execute function reject_change();
create index signed_transaction_mined on signed_transaction (made_at) where block is not null;
create index signed_transaction_of_request on signed_transaction (request_id, made_at) where request_id is not null;
create index signed_transaction_of_move on signed_transaction (move_id) where move_id is not null;

-- Token transfers to platform addresses. The ordinal counts a transaction's transfers. A reorg can change a log index, but not the
-- ordinal (invariant I8).
create table chain_transfer (
  id bigint generated always as identity unique,
  chain_id bigint not null,
  tx_hash text not null,
  address text not null references chain_address (address),
  ordinal int not null,
  token text not null,
  -- Amount in the token's smallest unit, and in units of 10^-8, rounded down.
  exact_amount numeric(78, 0) not null check (exact_amount > 0),
  amount bigint not null check (amount >= 0),
  block bigint not null,
  block_time timestamptz not null,
  state text not null check (state in ('SEEN', 'FINAL', 'GONE')),
  -- False if the token is rejected, or if the block changed the address's balance by another amount than its transfers. Two people
  -- then decide about the payment.
  balance_fits boolean not null default true,
  -- Watcher's MAC over the final transfer. The database does not hold the key.
  final_mac bytea,
  -- Move that sweeps or swept this transfer.
  swept_by bigint references chain_move (id),
  primary key (chain_id, tx_hash, token, address, ordinal)
);
-- Final transfers not yet swept.
create index chain_transfer_to_sweep on chain_transfer (chain_id, token, address) where state = 'FINAL' and swept_by is null;
create index chain_transfer_swept on chain_transfer (swept_by) where swept_by is not null;
create index chain_transfer_by_time on chain_transfer using brin (block_time) with (autosummarize = on, pages_per_range = 16);
create index chain_transfer_by_address on chain_transfer (address);
create index chain_transfer_unconfirmed on chain_transfer (chain_id, block) where state = 'SEEN';
create index chain_transfer_by_block on chain_transfer (chain_id, block) where state <> 'GONE';

-- Incidents, each answered by two people.
--   FINAL_GONE               a reorg removed final transfers
--   TOO_DEEP                 a reorg is deeper than the stored blocks
--   WALLET_SPENT             a hot wallet sent money without a payout
--   PAYOUT_GONE, SWEEP_GONE  a reorg removed a completed payout or token sweep, and the server sent the transaction again
--   UNCLAIMED                an address without an invoice received a payment; payouts continue
create table chain_incident (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('FINAL_GONE', 'TOO_DEEP', 'WALLET_SPENT', 'PAYOUT_GONE', 'SWEEP_GONE', 'UNCLAIMED')),
  noted_at timestamptz not null,
  -- First affected block, and the lost transfers. For a wallet: the missing amounts.
  from_block bigint not null,
  transfers jsonb not null,
  -- Time of the second person's answer. Payouts stop until then.
  answered_at timestamptz
);
create index chain_incident_open on chain_incident (id) where answered_at is null;

-- Progress of the hourly comparison of chain and books: `after_key_index` is that of the last checked address, `checked_at` the time of
-- that check, and `after_transfer` the id of the last transfer whose receipt was compared again.
create table chain_check (
  chain_id bigint primary key,
  after_key_index bigint not null,
  checked_at timestamptz not null,
  after_transfer bigint not null default 0
);

-- Differences between chain and books. A difference that only one round found may be money in transit.
--   UNSEEN             an address holds more than its stored transfers (the token's smallest unit)
--   MISSING            an address holds less than its transfers without a token sweep (the token's smallest unit)
--   UNCREDITED         an invoice's credits and held transfers are less than its final transfers (units)
--   NATIVE             native coin at an address that the platform did not send (wei)
--   RECEIPT            a final transfer differs from its receipt three days later (the token's smallest unit)
--   DEPOSITS, PAYOUTS  an external account of the ledger differs from the chain
create table chain_difference (
  kind text not null check (kind in ('UNSEEN', 'MISSING', 'UNCREDITED', 'NATIVE', 'RECEIPT', 'DEPOSITS', 'PAYOUTS')),
  subject text not null,
  expected numeric(78, 0) not null,
  found numeric(78, 0) not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  primary key (kind, subject)
);

-- Sums over the old events of the comparison, so that a round reads only recent rows. The MAC's key is not in the database. If a
-- row is missing or its MAC is invalid, the job computes the sums again from all events.
create table chain_checkpoint (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  part text not null check (part in ('BOOKS', 'WALLETS')),
  -- The sums include events before this time, and transfers up to this block.
  until timestamptz not null,
  until_block bigint not null,
  sums jsonb not null,
  mac bytea not null,
  unique (chain_id, part)
);

-- Last observed token balance of each hot wallet, and the sum of the wallet's payouts in blocks up to then. A smaller total of both
-- shows that money left without a payout (incident WALLET_SPENT).
create table chain_reserve (
  chain_id bigint not null,
  wallet text not null,
  token text not null,
  balance numeric(78, 0) not null check (balance >= 0),
  paid numeric(78, 0) not null check (paid >= 0),
  seen_at timestamptz not null,
  -- Maximum balance by the settings (null: no maximum), and the time since when the balance exceeds this maximum.
  ceiling numeric(78, 0) check (ceiling >= 0),
  above_since timestamptz check (above_since is null or ceiling is not null),
  primary key (chain_id, wallet, token)
);
