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
