-- Other modules may read these tables, because staff list members' purchases.
-- published: stake, stake_plan

-- Stake plans, stakes and private calendar addresses (EN-30, EN-31, MF-13, MF-24). Amounts and percentages are bigint units of 10^-8.

create table stake_plan (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null check (name <> ''),
  duration_days int not null check (duration_days between 1 and 36500),
  minimum bigint not null check (minimum >= 0),
  apy bigint not null check (apy > 0),
  is_omega boolean not null default false,
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  created_at timestamptz not null,
  -- Start of the sale for a plan announced in advance; otherwise null.
  starts_at timestamptz
);
-- Planned terms of a plan and the time from which the terms apply. `stake_plans_at` returns the terms in force.
create table stake_plan_next (
  plan_id bigint not null references stake_plan (id) on delete cascade,
  starts_at timestamptz not null,
  name text not null check (name <> ''),
  duration_days int not null check (duration_days between 1 and 36500),
  minimum bigint not null check (minimum >= 0),
  apy bigint not null check (apy > 0),
  is_omega boolean not null,
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  primary key (plan_id, starts_at)
);

create table stake (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  plan_id bigint not null references stake_plan (id),
  plan_name text not null,
  is_omega boolean not null,
  wallet text not null check (wallet in ('nativewallet', 'mywallet')),
  amount bigint not null check (amount > 100000000),
  apy bigint not null check (apy > 0),
  duration_days int not null check (duration_days > 0),
  daily_reward bigint not null check (daily_reward >= 0),
  programme_version int not null,
  started_at timestamptz not null,
  -- started_at + duration_days x 24 h, in UTC, so that the expression can be stored.
  matures_at timestamptz generated always as
    (((started_at at time zone 'UTC') + duration_days * interval '1 day') at time zone 'UTC') stored,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'COMPLETED', 'REVERSED')),
  -- Ledger transfer for the principal, shown on the receipt.
  transfer_id bigint,
  matured_at timestamptz,
  -- Set when staff reverse the purchase.
  reversed_at timestamptz,
  check ((status = 'COMPLETED') = (matured_at is not null)),
  -- Time of the import, for a stake that another platform sold.
  imported_at timestamptz,
  constraint stake_reversed check ((status = 'REVERSED') = (reversed_at is not null))
);
create index stake_by_member on stake (member_id, is_omega, id desc);
create index stake_running_by_member on stake (member_id) where status = 'ACTIVE';
-- Finds the running stakes of a plan. Staff see the number of running stakes, and the effect of changed terms on recent stakes.
create index stake_running_of on stake (plan_id) include (amount) where status = 'ACTIVE';
create index stake_by_time on stake using brin (started_at) with (autosummarize = on);
create index stake_by_end on stake ((coalesce(reversed_at, matured_at))) where coalesce(reversed_at, matured_at) is not null;
create index stake_to_mature on stake (matures_at, id) where status = 'ACTIVE';
-- Finds a member's newest stakes of either kind, for the team tree. Without this index, PostgreSQL may scan the primary key backwards
-- through the stakes of other members.
create index stake_newest_by_member on stake (member_id, id desc);

-- Addresses of members' calendars, readable without a session. The server stores only the digest of the address's token.
create table calendar_link (
  member_id bigint primary key references member (id),
  token_digest text not null unique,
  created_at timestamptz not null
);

create trigger stake_event after insert on stake referencing new table as fresh
  for each statement execute function record_sale_events('stake.created');
create trigger stake_completed_event after update of status on stake
  for each row when (old.status <> 'COMPLETED' and new.status = 'COMPLETED') execute function record_event('stake.completed');
create trigger stake_reversed_event after update of status on stake
  for each row when (old.status <> 'REVERSED' and new.status = 'REVERSED') execute function record_event('stake.reversed');
