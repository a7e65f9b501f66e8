-- The reward programme (RW-01 to RW-09). A change is a new version with a start; what was sold before keeps its version.
-- Percentages are bigint units of 10^-8 percent with at most 4 decimals, so that a share is exact in 64-bit integers.
create table reward_programme (
  version int primary key check (version > 0),
  starts_at timestamptz not null,
  referral_percent bigint not null,
  level_percents bigint[] not null,
  bounty_percents bigint[] not null,
  stake_log_level_percents bigint[] not null,
  stake_log_bounty_percents bigint[] not null,
  nft_level_percents bigint[] not null,
  nft_bounty_percents bigint[] not null,
  -- [{rank, teamStake, bonus}], amounts as text in units, lowest first.
  ranks jsonb not null,
  reason text not null,
  created_by bigint,
  created_at timestamptz not null
);
create unique index reward_programme_by_start on reward_programme (starts_at);
create trigger reward_programme_append_only before update or delete on reward_programme for each row execute function refuse_change();

insert into reward_programme values (
  1, '2000-01-01T00:00:00Z',
  500000000,
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '[{"rank":"bronze","teamStake":"10000000000000","bonus":"50000000000"},
    {"rank":"silver","teamStake":"50000000000000","bonus":"250000000000"},
    {"rank":"gold","teamStake":"100000000000000","bonus":"500000000000"},
    {"rank":"platinum","teamStake":"500000000000000","bonus":"2500000000000"},
    {"rank":"diamond","teamStake":"1000000000000000","bonus":"5000000000000"}]',
  'Opening programme', null, '2000-01-01T00:00:00Z'
);

-- A share of an amount, rounded down to the unit (invariant I19).
create function reward_share(amount bigint, percent bigint) returns bigint language sql immutable as $$
  select (amount / 1000000) * (percent / 10000) + (amount % 1000000) * (percent / 10000) / 1000000
$$;

-- What the operator has set against promised rewards besides the pool, and whether sales stop when it does not suffice.
create table reward_policy (
  id bigint generated always as identity primary key,
  coverage_mode text not null check (coverage_mode in ('enforce', 'observe')),
  committed_coin bigint not null check (committed_coin >= 0),
  committed_usd bigint not null check (committed_usd >= 0),
  reason text not null,
  created_by bigint,
  created_at timestamptz not null
);
create trigger reward_policy_append_only before update or delete on reward_policy for each row execute function refuse_change();
insert into reward_policy (coverage_mode, committed_coin, committed_usd, reason, created_at)
values ('enforce', 0, 0, 'Opening policy', '2000-01-01T00:00:00Z');

-- What is promised, by UTC day and kind: the whole future of running stakes and NFTs with the largest possible bounties,
-- and held rewards on the day of their release. Sales append to the second table; a sweep folds it into the first.
create table reward_promise (
  day date not null,
  kind text not null,
  amount bigint not null,
  primary key (day, kind)
) with (fillfactor = 80);
create table reward_promise_pending (
  id bigint generated always as identity primary key,
  kind text not null,
  step text not null check (step in ('day', 'month')),
  -- The first payment falls one step after this moment.
  starts_at timestamptz not null,
  times int not null check (times > 0),
  amount bigint not null
);
