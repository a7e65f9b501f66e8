-- Other modules may read these tables, because staff compare payout addresses.
-- published: payout_request, payout_address, network_cost, payment_return, proceeds_payout, payout_sending

-- Sets of rules that decide payouts without a person, approved by two people or stopped by one (docs/decisions/0057-payout-rules.md). The
-- newest started version is in force. Versions are immutable.
create table payout_rules (
  version int generated always as identity primary key,
  starts_at timestamptz not null,
  -- JSON as approved, amounts as plain decimals; the contract's `payoutRulesValue` defines it. Text, because the MAC covers each character.
  rules text not null,
  created_at timestamptz not null,
  -- Approver, or the person who stopped the rules; null for a version that supersedes a cancelled one.
  created_by bigint references member (id),
  reason text not null,
  -- MAC over the version. The key is not in the database. Rules inserted by SQL decide nothing.
  rules_mac bytea not null
);
create index payout_rules_in_force on payout_rules (starts_at desc, version desc);
create trigger payout_rules_append_only before delete or truncate on payout_rules for each statement execute function reject_change();
create trigger payout_rules_fixed before update of version, starts_at, rules, created_at, created_by, reason on payout_rules
  for each row execute function reject_change();

-- Payouts that rules approved on a UTC day, for the ceilings: of a rule, of a member, and to an address. The statement that adds a payout
-- checks the ceiling.
create table payout_rule_use (
  -- Start of the UTC day.
  day timestamptz not null,
  scope text not null check (scope in ('rule', 'member', 'address')),
  -- Name of the rule; or asset and member or address.
  subject text not null,
  number int not null check (number > 0),
  amount bigint not null check (amount > 0),
  primary key (day, scope, subject)
);

-- Requests of members for USD withdrawals (MF-03), coin bridges (MF-04), and transfers that require a confirmation (MF-09).
-- The ledger holds the amount until staff decide about the payout, or until the member confirms the transfer. Each request is
-- decided once.
create table payout_request (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null check (kind in ('withdrawal', 'bridge', 'transfer')),
  member_id bigint not null references member (id),
  amount bigint not null check (amount > 0),
  platform_fee bigint not null check (platform_fee >= 0),
  network_fee bigint not null check (network_fee >= 0),
  received bigint not null check (received >= 0),
  -- Payout address, or the receiver's email address for a transfer.
  address text not null,
  -- 0 for a transfer.
  network int not null check (network in (0, 1, 2)),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  hold_id bigint not null unique,
  settings_version int not null references setting (version),
  created_at timestamptz not null,
  first_approved_by bigint references member (id),
  first_approved_at timestamptz,
  -- MAC over the first approver. The key is not in the database. A second approval requires a valid MAC.
  first_mac bytea,
  decided_by bigint references member (id),
  decided_at timestamptz,
  reason text,
  tx_hash text,
  -- Deadline for the member's confirmation. Staff see the payout after the confirmation.
  confirm_by timestamptz not null,
  confirmed_at timestamptz,
  confirmed_how text check (confirmed_how in ('book', 'step-up', 'page', 'link')),
  -- Digest of the step-up proof that came with the call. A proof is valid once.
  step_up_digest text,
  -- MAC over the request and its confirmation. The key is not in the database. A row that was changed by SQL cannot be approved.
  owner_mac bytea not null,
  -- Reason for a return without a staff decision.
  return_reason text check (return_reason in ('cancelled', 'expired', 'stopped')),
  -- Time of a return after approval. The chain has proved by then that the payment cannot arrive.
  returned_at timestamptz,
  -- For a transfer: receiver, and ledger transfer once posted.
  receiver_id bigint references member (id),
  transfer_id bigint,
  -- Version of the rules that last checked the request, and the rule that matched. A request without a match waits for staff.
  rule_version int references payout_rules (version),
  rule_name text,
  rule_outcome text check (rule_outcome in ('APPROVED', 'HELD', 'QUEUED', 'CEILING')),
  -- Ceiling that kept the rule from approving. `ceiling_of` is its scope as in payout_rule_use, and `ceiling_left` are the units left of
  -- its sum (null if the number of payouts was used up). `ceiling_free_at` is the start of the next UTC day, when it is free again. Staff
  -- decide the request nevertheless.
  ceiling_of text check (ceiling_of in ('rule', 'member', 'address')),
  ceiling_left bigint check (ceiling_left >= 0),
  ceiling_free_at timestamptz,
  check (platform_fee + network_fee + received = amount),
  check ((kind = 'transfer') = (receiver_id is not null)),
  check ((kind = 'transfer' and status = 'APPROVED') = (transfer_id is not null)),
  check (kind <> 'transfer' or decided_by is null and receiver_id <> member_id and platform_fee + network_fee = 0),
  check (first_approved_by is distinct from decided_by or first_approved_by is null),
  check ((first_approved_by is null) = (first_mac is null)),
  check (decided_by is distinct from member_id or decided_by is null),
  check ((status = 'PENDING') = (decided_at is null)),
  check ((confirmed_at is null) = (confirmed_how is null)),
  check (status <> 'APPROVED' or confirmed_at is not null),
  check (return_reason is null or status = 'REJECTED' and decided_by is null),
  check (returned_at is null or status = 'REJECTED' and (decided_by is not null or rule_outcome = 'APPROVED') and confirmed_at is not null),
  check ((rule_name is null) = (rule_outcome is null) and (rule_name is null or rule_version is not null)),
  check (rule_outcome is distinct from 'APPROVED' or decided_by is null and return_reason is null and status <> 'PENDING'),
  check ((rule_outcome is not distinct from 'CEILING') = (ceiling_of is not null) and (ceiling_of is null) = (ceiling_free_at is null)
    and (ceiling_left is null or ceiling_of is not null))
);
create index payout_request_by_member on payout_request (member_id, kind, id desc);
-- Finds the holds of a member that were open at a given time.
create index payout_request_by_end on payout_request (member_id, decided_at);
create index payout_request_of_day on payout_request (member_id, created_at);
create index payout_request_paid on payout_request (kind, decided_at) where status = 'APPROVED';
create index payout_request_queue on payout_request (kind, id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_open on payout_request (id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_unconfirmed on payout_request (confirm_by) where status = 'PENDING' and confirmed_at is null;
create index payout_request_decided on payout_request (kind, id desc) where decided_by is not null or rule_outcome = 'APPROVED';
-- Finds requests that the rules in force have not checked, and the requests of a rule.
create index payout_request_unchecked on payout_request (coalesce(rule_version, 0), id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_by_rule on payout_request (rule_name, id) where rule_name is not null;
create index payout_request_by_decider on payout_request (decided_by, decided_at) where first_approved_by is null and decided_by is not null;
create unique index payout_request_by_step_up on payout_request (step_up_digest) where step_up_digest is not null;
create index payout_request_by_hash on payout_request (lower(tx_hash)) where tx_hash is not null;
create index payout_request_by_address on payout_request (lower(address), member_id);
-- Finds requests, decisions and returns since a given time, for the audit.
create index payout_request_by_time on payout_request using brin (created_at) with (autosummarize = on, pages_per_range = 16);
create index payout_request_by_decision on payout_request (decided_at) where decided_at is not null;
create index payout_request_by_return on payout_request (returned_at) where returned_at is not null;
create trigger payout_request_to_screen after insert on payout_request referencing new table as fresh
  for each statement execute function queue_payout_screening();

-- Transfers of 24 hours to other members without confirmation: one row for each sender. The setting `unconfirmed_transfer_day_usd` limits
-- the sum. No index contains a column that changes, so that a transfer rewrites the row in its page.
create table unconfirmed_transfer (
  member_id bigint primary key references member (id),
  -- Time of the latest transfer of each minute, and the minute's sum. A sum counts for 24 hours from its time.
  times timestamptz[] not null,
  amounts bigint[] not null check (cardinality(amounts) = cardinality(times))
) with (fillfactor = 70);

-- Notifications to members about their payouts, written in the transaction of the cause. A job creates the mails, so that no call
-- waits for the encryption of a mail.
create table payout_notification (
  id bigint generated always as identity primary key,
  -- The payout's `public_id`.
  request text not null,
  step text not null,
  created_at timestamptz not null
);

-- Address books of members. From `usable_from` on, payouts to the address need no confirmation; the member's confirmation of the entry
-- sets this time. `address_key` is the normalized address: lower case for hex, unchanged for base58.
create table payout_address (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  network int not null check (network in (0, 1, 2)),
  address text not null,
  address_key text not null,
  label text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  usable_from timestamptz,
  removed_at timestamptz,
  -- Nonce of the open challenge to prove the address, and its time (docs/decisions/0059-proven-addresses.md).
  challenge text,
  challenge_at timestamptz,
  proven_at timestamptz,
  proven_by text check (proven_by in ('key', 'contract')),
  -- MAC over the entry, its confirmation and its proof. The key is not in the database. What SQL writes counts for nothing.
  entry_mac bytea,
  check ((confirmed_at is null) = (usable_from is null)),
  check ((challenge is null) = (challenge_at is null)),
  check ((proven_at is null) = (proven_by is null)),
  check ((confirmed_at is null and proven_at is null) = (entry_mac is null))
);
create index payout_address_signed on payout_address (id) where (confirmed_at is not null or proven_at is not null) and removed_at is null;
create index payout_address_by_key on payout_address (address_key, member_id);
create unique index payout_address_in_book on payout_address (member_id, network, address_key) where removed_at is null;
create trigger payout_address_to_screen after insert on payout_address for each row execute function queue_address_screening();
create trigger payout_address_ended after update of removed_at on payout_address
  for each row when (old.removed_at is null and new.removed_at is not null) execute function record_ended_access('address');

-- Ids of cold moves, payment returns and proceeds. They are negative, so that no payout has the same id in payout_sending.
create sequence platform_payout_id increment by -1 minvalue -9223372036854775807 maxvalue -1 start with -1;

-- Cold moves: transfers of surplus from the hot wallet to a cold address, approved by two staff members
-- (docs/decisions/0017-payouts-are-sent-once.md).
create table cold_move (
  id bigint primary key default nextval('platform_payout_id') check (id < 0),
  public_id text not null unique,
  asset text not null check (asset in ('USD', 'COIN')),
  amount bigint not null check (amount > 0),
  address text not null check (address = lower(address)),
  created_at timestamptz not null
);

-- Payments to an invoice that were not credited, returned to an address in the member's book after two people's decision
-- (docs/decisions/0053-payment-returns.md). Amounts are units.
create table payment_return (
  id bigint primary key default nextval('platform_payout_id') check (id < 0),
  public_id text not null unique,
  member_id bigint not null references member (id),
  -- The deposit's public id.
  deposit text not null,
  asset text not null check (asset in ('USD', 'COIN')),
  amount bigint not null,
  network_fee bigint not null check (network_fee >= 0),
  received bigint not null check (received > 0 and received = amount - network_fee),
  -- Version of the settings with the fee.
  settings_version int not null,
  address text not null check (address = lower(address)),
  created_at timestamptz not null
);
create index payment_return_by_deposit on payment_return (deposit, id);
create index payment_return_by_member on payment_return (member_id);
create index payment_return_by_time on payment_return using brin (created_at) with (autosummarize = on, pages_per_range = 16);

-- Proceeds of sales for an address of the operator, approved by two staff members (docs/decisions/0054-proceeds-of-sales.md). Amounts are
-- USD units.
create table proceeds_payout (
  id bigint primary key default nextval('platform_payout_id') check (id < 0),
  public_id text not null unique,
  amount bigint not null check (amount > 0),
  address text not null check (address = lower(address)),
  created_at timestamptz not null
);

-- Approved payouts, cold moves, payment returns and proceeds that the server sends, each with one nonce of the hot wallet. From state SIGNED on,
-- an amount returns only if the chain proves that the payment cannot arrive (docs/decisions/0017-payouts-are-sent-once.md).
create table payout_sending (
  -- Id of the payout, or of the cold move, payment return or proceeds (negative).
  request_id bigint primary key,
  kind text not null default 'PAYOUT' check (kind in ('PAYOUT', 'COLD', 'RETURN', 'PROCEEDS') and (kind = 'PAYOUT') = (request_id > 0)),
  payout_id bigint generated always as (case kind when 'PAYOUT' then request_id end) stored references payout_request (id),
  cold_move_id bigint generated always as (case kind when 'COLD' then request_id end) stored references cold_move (id),
  payment_return_id bigint generated always as (case kind when 'RETURN' then request_id end) stored references payment_return (id),
  proceeds_id bigint generated always as (case kind when 'PROCEEDS' then request_id end) stored references proceeds_payout (id),
  chain_id bigint not null,
  token text not null check (token = lower(token)),
  to_address text not null check (to_address = lower(to_address)),
  -- Amount in the token's smallest unit.
  exact_amount numeric(78, 0) not null check (exact_amount > 0),
  -- MAC over the approved payment. The key is not in the database. The signer rejects a row that was changed by SQL.
  approval_mac bytea not null,
  queued_at timestamptz not null,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'SIGNED', 'MINED', 'DONE', 'FAILED', 'CANCELLED')),
  wallet text,
  nonce bigint check (nonce >= 0),
  -- Hash of the wallet's other transaction that used the nonce. Staff adopted it after a restore, so this payout never arrives.
  nonce_taken_by text check (nonce_taken_by is null or state in ('SIGNED', 'CANCELLED')),
  signed_at timestamptz,
  -- Reason for a delay, as text for staff.
  problem text,
  cancel_asked_at timestamptz,
  -- Decision by two people if the chain does not show whether the payment arrived.
  answer text check (answer in ('GIVE_BACK', 'ARRIVED')),
  ended_at timestamptz,
  check ((wallet is null) = (nonce is null) and (nonce is null) = (signed_at is null)),
  check (state <> 'QUEUED' or nonce is null),
  check (state in ('QUEUED', 'CANCELLED') or nonce is not null),
  check ((ended_at is null) = (state in ('QUEUED', 'SIGNED', 'MINED'))),
  check (state <> 'CANCELLED' or cancel_asked_at is not null)
);
-- Prevents a change of a payout's nonce. With a second nonce a payout that returned to the queue could be paid twice.
create trigger payout_sending_number_stays before delete or update of wallet, nonce on payout_sending
  for each row execute function keep_payout_number();
create unique index payout_sending_nonce on payout_sending (chain_id, wallet, nonce) where nonce_taken_by is null;
create index payout_sending_open on payout_sending (request_id) where state in ('QUEUED', 'SIGNED', 'MINED');
-- Enforces at most one open cold move per token, because a cold move takes the whole surplus.
create unique index payout_sending_open_cold_move on payout_sending (token) where kind = 'COLD' and ended_at is null;
-- Enforces at most one open payout of proceeds, because it waits for what other payouts leave over.
create unique index payout_sending_open_proceeds on payout_sending (token) where kind = 'PROCEEDS' and ended_at is null;
create index payout_sending_by_end on payout_sending (ended_at) where ended_at is not null;
create index payout_sending_signed on payout_sending (token, signed_at) where signed_at is not null;

-- Each signed transaction of the outbox with a request belongs to one of these rows. Its content stays, except when a member is erased.
alter table signed_transaction add foreign key (request_id) references payout_sending (request_id);
create trigger signed_transaction_raw_stays before update of raw on signed_transaction
  for each row execute function keep_transaction_bytes();

-- Next nonce of each hot wallet. No other software may use the wallet's key.
create table hot_wallet (
  chain_id bigint not null,
  address text not null check (address = lower(address)),
  next_nonce bigint not null check (next_nonce >= 0),
  -- Time of the worker's first use of the wallet.
  opened_at timestamptz,
  primary key (chain_id, address)
);

-- Final transactions of a hot wallet that moved no money and belong to no payout in this database: cancellations and failed payments
-- that staff adopted after the restore of an old backup. The rows explain the used nonces and the paid gas.
create table hot_wallet_empty (
  hash text primary key,
  chain_id bigint not null,
  wallet text not null,
  nonce bigint not null check (nonce >= 0),
  raw text not null,
  -- Fee in wei.
  gas_paid numeric(78, 0) not null check (gas_paid >= 0),
  -- Time of the adoption.
  ended_at timestamptz not null,
  unique (chain_id, wallet, nonce),
  foreign key (chain_id, wallet) references hot_wallet (chain_id, address)
);
create index hot_wallet_empty_by_end on hot_wallet_empty (ended_at);

-- Network fees of final payouts and token sweeps, booked in USD.
create table network_cost (
  -- The mined transaction's hash.
  hash text primary key,
  source text not null check (source in ('PAYOUT', 'MOVE', 'EMPTY')),
  -- Fee in wei, paid in the chain's native coin.
  wei numeric(78, 0) not null check (wei >= 0),
  -- Price of one native coin in USD units, from the settings at booking time. `usd` is the fee in USD units, rounded up.
  price bigint not null check (price > 0),
  usd bigint not null check (usd >= 0),
  ended_at timestamptz not null,
  booked_at timestamptz not null
);
create index network_cost_by_end on network_cost (source, ended_at);

create trigger payout_request_event after insert on payout_request referencing new table as fresh
  for each statement execute function record_new_events('payout.requested');
create trigger payout_request_approved_event after update of status on payout_request
  for each row when (old.status <> 'APPROVED' and new.status = 'APPROVED') execute function record_event('payout.approved');
create trigger payout_request_rejected_event after update of status on payout_request
  for each row when (old.status <> 'REJECTED' and new.status = 'REJECTED') execute function record_event('payout.rejected');
