-- Staff list what members bought.
-- published: coin_purchase

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
  created_at timestamptz not null,
  undone_at timestamptz
);
comment on column coin_purchase.total_price is 'USD units with 2 decimals, as shown';
comment on column coin_purchase.charged is 'USD units that left the wallet: the exact product';
create index coin_purchase_by_member on coin_purchase (member_id, id desc);
-- What was bought in the last days, by the order in which rows were written: staff see what another price would have meant.
create index coin_purchase_by_time on coin_purchase using brin (created_at) with (autosummarize = on);
create index coin_purchase_by_undoing on coin_purchase (undone_at) where undone_at is not null;
