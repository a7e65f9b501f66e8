-- Other modules may read these tables, because staff trace rewards to their causes.
-- published: reward_instant, reward_run

-- The reward programme (RW-01 to RW-09). An edit is a new version with a start; earlier sales keep their version.
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
  created_at timestamptz not null,
  -- Stakes of at least this many days pay the full level share, shorter ones a proportional part (RW-02).
  full_level_share_days int not null default 365 check (full_level_share_days between 1 and 36500)
);
-- Among versions with one start the newest is in force: planned versions are superseded, never deleted.
create index reward_programme_by_start on reward_programme (starts_at desc, version desc);
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

-- The operator's commitment in addition to the pool.
create table reward_policy (
  id bigint generated always as identity primary key,
  committed_coin bigint not null check (committed_coin >= 0),
  committed_usd bigint not null check (committed_usd >= 0),
  reason text not null,
  created_by bigint,
  created_at timestamptz not null
);
create trigger reward_policy_append_only before update or delete on reward_policy for each row execute function refuse_change();
insert into reward_policy (committed_coin, committed_usd, reason, created_at)
values (0, 0, 'Opening policy', '2000-01-01T00:00:00Z');

-- One row per asset, locked last by every transaction that adds liabilities or spends pool money otherwise. So these transactions
-- confirm their reads one after the other. Each of them raises the version by one.
create table reward_coverage_version (
  asset text primary key check (asset in ('COIN', 'USD')),
  version bigint not null default 0
) with (fillfactor = 50);
insert into reward_coverage_version (asset) values ('COIN'), ('USD');

-- Liabilities by UTC day and kind, overdue days included. They are the steps of running stakes and NFTs that no run has processed
-- yet, with the largest possible bounties, and pending rewards on their release day. Writers append to the second table; a job
-- aggregates it into the first.
create table reward_liability (
  day date not null,
  kind text not null,
  amount bigint not null,
  primary key (day, kind)
) with (fillfactor = 80);
create table reward_liability_pending (
  id bigint generated always as identity primary key,
  kind text not null,
  step text not null check (step in ('day', 'month')),
  -- The first payment is due one step after this moment.
  starts_at timestamptz not null,
  times int not null check (times > 0),
  amount bigint not null,
  -- The run that wrote this reduction, until the run is summed. Only then are its rewards owed, and the reduction counts.
  run_id bigint
);

-- A source of daily or monthly rewards: a stake, an Omega stake (stake log) or an NFT, created by its sale. `counted` is the only
-- record of how many steps the runs have processed. The fill factor leaves room for each row's next version, so that counting
-- changes no index.
-- stream: 0 stakes, 1 Omega stakes, 2 NFTs. A step is a day; for an NFT a month.
create table reward_source (
  id bigint generated always as identity primary key,
  stream smallint not null check (stream in (0, 1, 2)),
  -- Public id and name.
  public_id text not null unique,
  label text not null,
  member_id bigint not null references member (id),
  -- All steps together pay `percent` (in percent units) of `principal`.
  principal bigint not null check (principal > 0),
  percent bigint not null check (percent >= 0),
  -- Units per step; `times` is the number of steps.
  amount bigint not null check (amount >= 0),
  -- All levels' bounties on one step, if every upline earns.
  bounty bigint not null check (bounty >= 0),
  times int not null check (times > 0),
  starts_at timestamptz not null,
  -- The last step's due time, in UTC, so that the expression can be stored.
  ends_at timestamptz not null generated always as
    (((starts_at at time zone 'UTC') + times * case when stream = 2 then interval '1 month' else interval '1 day' end) at time zone 'UTC') stored,
  programme_version int not null references reward_programme (version),
  counted int not null default 0,
  -- NFTs only: amount paid by its months, and when the last one was written (EN-36). While the owner is blocked or not verified,
  -- a month counts as a step but pays nothing.
  distributed bigint not null default 0,
  distributed_at timestamptz,
  -- Set when staff reverse the purchase: no further step becomes due.
  reversed_at timestamptz,
  -- Stakes only: coin for rank bonuses, a liability since the sale, and when it was distributed after the stake had matured
  -- (RW-05).
  rank_budget bigint not null default 0 check (rank_budget >= 0 and (stream < 2 or rank_budget = 0)),
  rank_settled_at timestamptz,
  check (rank_settled_at is null or rank_budget > 0 and reversed_at is null),
  check (counted between 0 and times),
  check (stream = 2 or (distributed = 0 and distributed_at is null))
) with (fillfactor = 48);
-- Finds due steps by time within the day. A source's time never changes, so counting changes no index.
create index reward_source_by_time on reward_source (((starts_at at time zone 'UTC')::time));
-- Finds a member's future payments, for the list of upcoming rewards, however many sources have ended.
create index reward_source_by_member on reward_source (member_id, ends_at);
-- Finds sources sold or reversed since a moment, for the audit.
create index reward_source_by_start on reward_source using brin (starts_at) with (autosummarize = on, pages_per_range = 16);
create index reward_source_by_reversal on reward_source (reversed_at) where reversed_at is not null;

-- Daily and monthly rewards: accruals, paid sums and their runs (RW-03, RW-04, RW-06, RW-08, RW-12).

-- UTC business days (invariant I18).
create table reward_day (
  day date primary key,
  status text not null check (status in ('OPEN', 'DONE')),
  runs int not null default 0,
  accruals bigint not null default 0,
  total_coin bigint not null default 0,
  total_usd bigint not null default 0,
  hash text,
  opened_at timestamptz not null,
  closed_at timestamptz
);

-- Times when more days were unpaid than runs may catch up on; `ended_at` is null while one lasts. Staff then start the run of
-- each day.
create table reward_halt (
  id bigint generated always as identity primary key,
  behind_since date not null,
  allowed_through date not null,
  noticed_at timestamptz not null,
  ended_at timestamptz
);
create unique index reward_halt_single on reward_halt ((true)) where ended_at is null;

-- A run pays the rewards of its day that are due up to and including `through`. Accruals are written in batches, then summed,
-- then paid in partitions.
create table reward_run (
  id bigint generated always as identity primary key,
  day date not null references reward_day (day),
  through timestamptz not null,
  status text not null check (status in ('RECORDING', 'PAY', 'DONE')),
  accruals bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  hash text,
  by_hand boolean not null,
  started_by text,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Watermark at the run's start, if any. With little to do (`is_small`), the run reads only sources that may have a step due
  -- since it.
  is_small boolean not null default false,
  clear_through timestamptz,
  seen_source bigint,
  newest_source bigint,
  check (not is_small or clear_through is not null),
  check ((clear_through is null) = (seen_source is null) and (clear_through is null) = (newest_source is null))
);
create unique index reward_run_single on reward_run ((true)) where status = 'RECORDING';
create index reward_run_unpaid on reward_run (id) where status = 'PAY';
create index reward_run_by_day on reward_run (day, id);
-- Finds runs active since a moment, for the audit.
create index reward_run_by_end on reward_run ((coalesce(finished_at, 'infinity')));

-- An open run's partitions for several workers: first source ranges, then credit shares. A worker locks its partition's row until commit,
-- so each is done once, and a crash leaves it unchanged.
create table reward_partition (
  run_id bigint not null references reward_run (id),
  part text not null check (part in ('accruals', 'credits')),
  number int not null,
  -- Accruals: sources with ids above `low`, up to `high`. Credits: share number (from 0) and share count.
  low bigint not null,
  high bigint not null,
  done boolean not null default false,
  accruals bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  primary key (run_id, part, number)
);

-- One reward for one stake day or NFT month. The only copy: bounties are computed from it.
create table reward_accrual (
  run_id bigint not null,
  stream smallint not null check (stream in (0, 1, 2)),
  -- `reward_source`; no foreign key, as its check would cost a run as much as the row.
  source_id bigint not null,
  member_id bigint not null,
  ordinal int not null check (ordinal > 0),
  programme_version int not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null
);
-- A source belongs to one member and pays once per moment, so this also enforces "once per source and day" (invariant I10).
create unique index reward_accrual_once on reward_accrual (member_id, stream, due_at, source_id);
create index reward_accrual_by_run on reward_accrual using brin (run_id) with (autosummarize = on);

-- A member's sums from a run and stream: own rewards and bounties by level, with the accrual count behind each. A member without bounties
-- (blocked, not verified) has counts too, because the bounties of the uplines are summed through this row.
create table reward_credit (
  run_id bigint not null,
  stream smallint not null,
  member_id bigint not null,
  -- 0 without a sponsor.
  sponsor_id bigint not null,
  eligible boolean not null,
  n0 int not null, n1 int not null, n2 int not null, n3 int not null, n4 int not null, n5 int not null,
  daily bigint not null, b1 bigint not null, b2 bigint not null, b3 bigint not null, b4 bigint not null, b5 bigint not null,
  amount bigint not null check (amount >= 0 and amount = daily + b1 + b2 + b3 + b4 + b5)
);
create unique index reward_credit_by_member on reward_credit (member_id, stream, run_id);
create index reward_credit_below on reward_credit (run_id, stream, sponsor_id, member_id);

-- A run's payment progress. Credits up to the cursor, ordered by (sponsor_id, member_id), are in the ledger or claimed by a worker about
-- to pay them. The others are owed.
create table reward_payment (
  run_id bigint not null references reward_run (id),
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0,
  -- Amount moved out of the pool for claims, paid or not.
  taken bigint not null default 0 check (paid <= taken and taken <= total),
  -- The largest amount that was unpaid at one moment because the pool had too little. It stays after payment.
  fell_short bigint not null default 0 check (fell_short between 0 and total),
  cursor_sponsor bigint not null default -1,
  cursor_member bigint not null default 0,
  primary key (run_id, stream)
);
create index reward_payment_open on reward_payment (stream, run_id) where paid < total;

-- Credits in payment. Their money has moved from the pool to a separate shard for each claim, so that workers do not wait for
-- each other at one row. After a crash the next worker pays them.
create table reward_payment_claim (
  run_id bigint not null,
  stream smallint not null,
  shard int not null check (shard > 0),
  -- The credit before the range in payment order, and the last one in it.
  after_sponsor bigint not null,
  after_member bigint not null,
  last_sponsor bigint not null,
  last_member bigint not null,
  members int not null,
  total bigint not null check (total > 0),
  primary key (run_id, stream, shard),
  foreign key (run_id, stream) references reward_payment (run_id, stream)
);

-- Instant rewards for an event (RW-01, RW-02, RW-05, RW-07): pending, then paid. A level reward is due when its stake matures, or with the
-- first month of its NFT.
create table reward_instant (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('referral', 'level', 'nft-level', 'rank')),
  -- No foreign keys: their checks would cost a sale as much as all five rows (docs/decisions/0018-cost-of-a-sale.md).
  beneficiary_id bigint not null,
  source_member_id bigint,
  -- A source (reward_source), a coin purchase, or a rank with an id derived from its name.
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null check (level between 0 and 5),
  base bigint not null,
  percent bigint,
  amount bigint not null check (amount >= 0),
  reversed bigint not null default 0 check (reversed between 0 and amount),
  asset text not null check (asset in ('COIN', 'USD')),
  programme_version int not null,
  rank text,
  -- `unearned`: a coin purchase that earned its sponsor nothing.
  status text not null check (status in ('held', 'owed', 'paid', 'reversed', 'unearned')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  transfer_id bigint,
  -- True when `reward_counter` and `reward_week` include the reward.
  tallied boolean not null default false,
  -- Part of `base` reversed, sold or sent away within the hold period (RW-01).
  base_back bigint not null default 0,
  -- True while it counts as a liability and may be paid: not while its member is blocked.
  promised boolean not null default true,
  -- Staff's reason for the cancellation.
  cancel_reason text,
  -- The cause's public id, and the amount bought or staked.
  cause_public_id text,
  cause_amount bigint,
  -- For a referral reward: new money that bought its base, in USD units.
  new_money bigint check (new_money is null or new_money > 0 and kind = 'referral'),
  -- Why a purchase earned nothing (programme/referral.rules.ts).
  unearned_reason text check (unearned_reason in ('no-share', 'no-new-money', 'not-entitled', 'too-small')),
  check ((status in ('reversed', 'unearned')) = (reversed = amount)),
  check ((status = 'unearned') = (amount = 0) and (status = 'unearned') = (unearned_reason is not null)),
  check (base_back between 0 and base),
  check (cause_type = case kind when 'referral' then 'coin_purchase' when 'rank' then 'rank' else 'source' end)
);
create index reward_instant_held_of on reward_instant (source_member_id, id desc) where status = 'held' and kind = 'referral';
-- The kind determines the cause type.
create unique index reward_instant_once on reward_instant (cause_id, kind, beneficiary_id, level);
create index reward_instant_by_member on reward_instant (beneficiary_id, kind, id desc);
create index reward_instant_due on reward_instant (release_at, id) where status in ('held', 'owed');
-- Every sale reads the owed rewards, however many are held.
create index reward_instant_owed on reward_instant (asset) where status = 'owed';
create index reward_instant_untallied on reward_instant (beneficiary_id, kind) where not tallied;
-- Finds a member's rewards that are not paid yet, by release, however long the history is.
create index reward_instant_open on reward_instant (beneficiary_id, release_at) where status in ('held', 'owed');
-- Finds a member's paid rewards of a month.
create index reward_instant_paid on reward_instant (beneficiary_id, kind, settled_at desc, id desc) where settled_at is not null;
-- Finds rewards earned, due or paid since a moment, for the audit.
create index reward_instant_by_time on reward_instant using brin (created_at, release_at) with (autosummarize = on, pages_per_range = 16);
create index reward_instant_by_payment on reward_instant (settled_at) where settled_at is not null;

create trigger member_promises after update of is_verified, is_active on member for each row
  when ((old.is_verified and old.is_active) is distinct from (new.is_verified and new.is_active)) execute function reward_update_liability();

-- A member's rank bonus while rank budgets fill it (RW-05). It keeps the terms of the stake that began it, and is paid when complete.
create table reward_rank_bonus (
  member_id bigint not null,
  rank text not null,
  programme_version int not null,
  team_stake bigint not null,
  bonus bigint not null check (bonus > 0),
  filled bigint not null check (filled between 1 and bonus),
  started_at timestamptz not null,
  completed_at timestamptz,
  primary key (member_id, rank),
  check ((completed_at is not null) = (filled = bonus))
);
-- Every audit adds up the bonuses that are not complete.
create index reward_rank_bonus_open on reward_rank_bonus (member_id) where completed_at is null;

-- The part of a matured stake's rank budget that a leader's bonus got. The rest of the budget is free again.
create table reward_rank_share (
  source_id bigint not null,
  member_id bigint not null,
  rank text not null,
  amount bigint not null check (amount > 0),
  at timestamptz not null,
  primary key (source_id, member_id, rank)
);
create index reward_rank_share_by_bonus on reward_rank_share (member_id, rank);
create index reward_rank_share_by_time on reward_rank_share using brin (at) with (autosummarize = on);

-- Counts and sums by member, kind and status, so that a list's figures cost the same for any history.
create table reward_counter (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  primary key (member_id, kind, status)
) with (fillfactor = 80);

-- Each member's rewards by UTC month and kind. Credits count in the month of their run's day, instant rewards in the month of
-- payment. A job adds the credits in the order of the index. Readers add those after its cursor (`reward_earned_progress`).
create table reward_month (
  member_id bigint not null,
  month date not null,
  kind text not null,
  amount bigint not null check (amount > 0),
  primary key (member_id, month, kind)
) with (fillfactor = 80);
create table reward_earned_progress (
  one boolean primary key default true check (one),
  run_id bigint not null default 0,
  stream smallint not null default 0,
  sponsor_id bigint not null default 0,
  member_id bigint not null default 0
);
insert into reward_earned_progress default values;

-- Each member's instant rewards, summed per kind and ISO week (by its Monday, UTC), without reversed parts. Readers add rewards that are
-- not counted yet.
create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  primary key (member_id, starts_on, kind)
) with (fillfactor = 80);

-- Watermark: for sources with an id up to `seen_source`, all rewards due up to `clear_through` are written. A check then reads
-- only rewards that become due later, and newer sources. If `clear_through` is null, it reads all sources.
create table reward_watermark (
  one boolean primary key default true check (one),
  clear_through timestamptz,
  seen_source bigint not null default 0,
  -- The programme version by which all ranks were set last.
  ranked_version int not null default 1
);
insert into reward_watermark default values;

-- Pending referral rewards that were reduced because a bridge sent coin of their base away, with that coin in units. If the coin
-- of the bridge returns, the rewards are restored.
create table reward_sent_coin (
  payout_id bigint not null,
  reward_id bigint not null,
  coin bigint not null check (coin > 0),
  primary key (payout_id, reward_id)
);
create index reward_sent_coin_by_reward on reward_sent_coin (reward_id);

-- Figures for a draft programme simulated on past days. A job computes them batch by batch and deletes them once its file has them. No
-- other table depends on them.
create table reward_simulation (
  simulation text not null,
  member_id bigint not null,
  kind text not null,
  before bigint not null,
  after bigint not null,
  begun_at timestamptz not null,
  primary key (simulation, member_id, kind)
);
create index reward_simulation_by_time on reward_simulation (begun_at);
