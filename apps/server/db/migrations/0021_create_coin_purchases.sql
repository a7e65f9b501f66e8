-- Purchases of coin (EN-23), each with the version of the settings whose price it used (invariant I13).
create table coin_purchase (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  coin_amount bigint not null check (coin_amount > 0),
  coin_price bigint not null,
  total_price bigint not null,
  charged bigint not null check (charged > 0),
  settings_version int not null references setting (version),
  posting_id bigint not null,
  created_at timestamptz not null
);
comment on column coin_purchase.total_price is 'USD units with 2 decimals, as shown';
comment on column coin_purchase.charged is 'USD units that left the wallet: the exact product';
create index coin_purchase_by_member on coin_purchase (member_id, id desc);

-- Exchanges from the ICO wallet to my wallet (EN-17).
create table wallet_exchange (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  amount bigint not null check (amount > 0),
  settings_version int not null references setting (version),
  posting_id bigint not null,
  created_at timestamptz not null
);
create index wallet_exchange_by_member on wallet_exchange (member_id, id desc);

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
