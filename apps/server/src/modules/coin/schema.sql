-- Other modules may read this table, because staff list members' purchases.
-- published: coin_purchase

-- Coin purchases (EN-23), each with the version of the settings that determined the price (invariant I13).
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
  reversed_at timestamptz
);
comment on column coin_purchase.total_price is 'USD units with 2 decimals, as shown';
comment on column coin_purchase.charged is 'USD units that left the wallet: amount x price, rounded up to 8 decimals';
create index coin_purchase_by_member on coin_purchase (member_id, id desc);
-- Finds recent purchases in order of insertion, so that staff see the effect of a changed price on these purchases.
create index coin_purchase_by_time on coin_purchase using brin (created_at) with (autosummarize = on);
create index coin_purchase_by_reversal on coin_purchase (reversed_at) where reversed_at is not null;

create trigger coin_purchase_event after insert on coin_purchase referencing new table as fresh
  for each statement execute function record_new_events('purchase.created');
create trigger coin_purchase_reversed_event after update of reversed_at on coin_purchase
  for each row when (old.reversed_at is null and new.reversed_at is not null) execute function record_event('purchase.reversed');
