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
create index wallet_exchange_by_time on wallet_exchange using brin (created_at) with (autosummarize = on, pages_per_range = 16);

-- Requests to sell coin for USD as soon as the sales fund has enough (MF-10). The coin stays in the wallet until it is sold, so a member
-- has at most one open request (docs/decisions/0035-sales-fund.md).
create table sell_request (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  -- Coin units to sell, and the lowest USD price of one coin.
  amount bigint not null check (amount > 0),
  lowest_price bigint not null check (lowest_price > 0),
  -- Coin units sold so far, and the USD units that they brought.
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

-- The sales of a request: the ledger transfers of their coin.
create table sell_request_sale (
  transfer_id bigint primary key,
  request_id bigint not null references sell_request (id)
);
create index sell_request_sale_by_request on sell_request_sale (request_id);
