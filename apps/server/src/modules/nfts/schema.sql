-- Other modules may read these tables, because staff list members' purchases.
-- published: nft, nft_purchase

-- NFT catalogue, platform-wide supply and purchases (EN-36, MF-14, CO-22 to CO-25). Amounts and percentages are bigint units of 10^-8.

create table nft (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  name text not null check (name <> ''),
  title text not null default '',
  price bigint not null check (price > 0),
  duration_months int not null check (duration_months between 1 and 1200),
  total_percent bigint not null check (total_percent >= 0),
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  created_at timestamptz not null,
  -- Start of the sale for an NFT announced in advance; otherwise null.
  starts_at timestamptz
);
-- Planned terms of an NFT and the time from which the terms apply. `nfts_at` returns the terms in force.
create table nft_next (
  nft_id bigint not null references nft (id) on delete cascade,
  starts_at timestamptz not null,
  kind text not null check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  name text not null check (name <> ''),
  title text not null,
  price bigint not null check (price > 0),
  duration_months int not null check (duration_months between 1 and 1200),
  total_percent bigint not null check (total_percent >= 0),
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  primary key (nft_id, starts_at)
);

-- Maximum and sold number of NFTs per kind. The check keeps `sold` within the maximum (invariant I9).
create table nft_supply (
  kind text primary key check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  cap int not null check (cap >= 0),
  sold int not null default 0,
  check (sold between 0 and cap)
);
insert into nft_supply (kind, cap) values ('dome', 10000), ('wagon', 25000), ('hotelAndResort', 55000), ('land', 110000);

create table nft_purchase (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  nft_id bigint not null references nft (id),
  kind text not null,
  name text not null,
  price bigint not null check (price > 0),
  paid_from text not null check (paid_from in ('depositwallet', 'nativewallet', 'mywallet')),
  paid_asset text not null check (paid_asset in ('usd', 'coin')),
  paid_amount bigint not null check (paid_amount > 0),
  -- USD for one coin, if paid in coin (invariant I13).
  coin_price bigint,
  duration_months int not null check (duration_months > 0),
  total_percent bigint not null,
  monthly_reward bigint not null check (monthly_reward >= 0),
  -- The API shows CLOSED for an active purchase after the last month's reward (`reward_progress`).
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REVERSED')),
  programme_version int not null,
  purchased_at timestamptz not null,
  -- Ledger transfer for the price, shown on the receipt.
  transfer_id bigint,
  reversed_at timestamptz,
  -- Time of the import, for an NFT that another platform sold. No transfer paid for it here.
  imported_at timestamptz,
  -- Months whose reward the other platform has paid.
  imported_months int not null default 0,
  check (imported_at is null or transfer_id is null and reversed_at is null),
  check (imported_months = 0 or imported_at is not null),
  constraint nft_purchase_reversed check ((status = 'REVERSED') = (reversed_at is not null))
);
create index nft_purchase_by_member on nft_purchase (member_id, id desc);
create index nft_purchase_by_time on nft_purchase using brin (purchased_at) with (autosummarize = on);
create index nft_purchase_by_reversal on nft_purchase (reversed_at) where reversed_at is not null;

create trigger nft_purchase_event after insert on nft_purchase referencing new table as fresh
  for each statement execute function record_sale_events('nft.created');
create trigger nft_purchase_reversed_event after update of status on nft_purchase
  for each row when (old.status <> 'REVERSED' and new.status = 'REVERSED') execute function record_event('nft.reversed');
