-- Exchanges from the ICO Wallet to My Wallet (EN-17).
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
create index wallet_exchange_by_time on wallet_exchange using brin (created_at) with (autosummarize = on, pages_per_range = 16);

-- Requests to sell coin for USD as soon as the sales fund has enough (MF-10). The coin stays in the wallet until the sale, so a member
-- can have at most one open request (docs/decisions/0035-sales-fund.md).
create table sell_request (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  -- Coin to sell in units, and the lowest accepted price of one coin in USD units.
  amount bigint not null check (amount > 0),
  lowest_price bigint not null check (lowest_price > 0),
  -- Sold coin in units, and the USD received for this coin in units.
  sold bigint not null default 0 check (sold between 0 and amount),
  received bigint not null default 0 check (received >= 0),
  status text not null default 'OPEN' check (status in ('OPEN', 'SOLD', 'WITHDRAWN', 'EXPIRED')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  closed_at timestamptz,
  check ((status = 'OPEN') = (closed_at is null)),
  check ((status = 'SOLD') = (sold = amount))
);
create unique index sell_request_open_by_member on sell_request (member_id) where status = 'OPEN';
create index sell_request_open on sell_request (id) where status = 'OPEN';
create index sell_request_by_member on sell_request (member_id, id desc);

-- Sales of a request, each with the ledger transfer of the coin.
create table sell_request_sale (
  transfer_id bigint primary key,
  request_id bigint not null references sell_request (id)
);
create index sell_request_sale_by_request on sell_request_sale (request_id);

-- Names that members give to people to whom they sent USD (docs/decisions/0058-payees-from-the-ledger.md).
create table payee_name (
  member_id bigint not null references member (id),
  receiver_id bigint not null references member (id) check (receiver_id <> member_id),
  name text not null check (name <> ''),
  created_at timestamptz not null,
  primary key (member_id, receiver_id)
);
create index payee_name_by_receiver on payee_name (receiver_id);
