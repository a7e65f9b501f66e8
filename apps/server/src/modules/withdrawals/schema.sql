-- Staff compare where payouts go.
-- published: payout_request

-- Payouts that members ask for: USD withdrawals (MF-03) and coin bridges (MF-04). The amount is on hold in the ledger
-- until staff decide; a decision is made once.
create table payout_request (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null check (kind in ('withdrawal', 'bridge')),
  member_id bigint not null references member (id),
  amount bigint not null check (amount > 0),
  platform_fee bigint not null check (platform_fee >= 0),
  network_fee bigint not null check (network_fee >= 0),
  received bigint not null check (received >= 0),
  address text not null,
  network int not null check (network in (0, 1, 2)),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  hold_id bigint not null unique,
  settings_version int not null references setting (version),
  created_at timestamptz not null,
  first_approved_by bigint references member (id),
  first_approved_at timestamptz,
  decided_by bigint references member (id),
  decided_at timestamptz,
  reason text,
  tx_hash text,
  -- A payout waits for its owner until `confirm_by`; staff see it once it is confirmed.
  confirm_by timestamptz not null,
  confirmed_at timestamptz,
  confirmed_how text check (confirmed_how in ('book', 'step-up', 'page', 'link')),
  -- Digest of the step-up that came with the call: each counts once.
  step_up_digest text unique,
  -- Why nobody of the staff decided: it went back before that.
  taken_back text check (taken_back in ('cancelled', 'expired', 'stopped')),
  check (platform_fee + network_fee + received = amount),
  check (first_approved_by is distinct from decided_by or first_approved_by is null),
  check (decided_by is distinct from member_id or decided_by is null),
  check ((status = 'PENDING') = (decided_at is null)),
  check ((confirmed_at is null) = (confirmed_how is null)),
  check (status <> 'APPROVED' or confirmed_at is not null),
  check (taken_back is null or status = 'REJECTED' and decided_by is null)
);
create index payout_request_by_member on payout_request (member_id, kind, id desc);
create index payout_request_of_day on payout_request (member_id, created_at);
create index payout_request_paid on payout_request (kind, decided_at) where status = 'APPROVED';
create index payout_request_queue on payout_request (kind, id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_open on payout_request (id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_unconfirmed on payout_request (confirm_by) where status = 'PENDING' and confirmed_at is null;
create index payout_request_decided on payout_request (kind, id desc) where decided_by is not null;
create index payout_request_by_decider on payout_request (decided_by, decided_at) where first_approved_by is null;
create index payout_request_by_address on payout_request (lower(address), member_id);

-- Address books of members. Payouts to an address need no confirmation from `usable_from` on, which is set when the entry is
-- confirmed. `address_key` is the one form of an address: hex in small letters, base58 as it is.
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
  check ((confirmed_at is null) = (usable_from is null))
);
create unique index payout_address_in_book on payout_address (member_id, network, address_key) where removed_at is null;
