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
  check (platform_fee + network_fee + received = amount),
  check (first_approved_by is distinct from decided_by or first_approved_by is null),
  check (decided_by is distinct from member_id or decided_by is null),
  check ((status = 'PENDING') = (decided_at is null))
);
create index payout_request_by_member on payout_request (member_id, kind, id desc);
create index payout_request_queue on payout_request (kind, id) where status = 'PENDING';
create index payout_request_open on payout_request (id) where status = 'PENDING';
create index payout_request_decided on payout_request (kind, id desc) where status <> 'PENDING';
create index payout_request_by_decider on payout_request (decided_by, decided_at) where first_approved_by is null;
create index payout_request_by_address on payout_request (lower(address), member_id);
