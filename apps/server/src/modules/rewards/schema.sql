-- Other modules may read these tables, because staff trace rewards to their causes.
-- published: reward_instant, reward_run, reward_source

-- The reward programme (RW-01 to RW-09). An edit is a new version with a start; earlier sales keep their version.
-- Percentages are bigint units of 10^-8 percent with at most 4 decimals, so that 64-bit integers suffice for exact shares.
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
  -- A stake of at least this many days pays the full level share. A shorter stake pays a proportional part (RW-02).
  full_level_share_days int not null default 365 check (full_level_share_days between 1 and 36500)
);
-- Finds the version in force. Of versions with the same start the newest applies, because planned versions are never deleted.
create index reward_programme_by_start on reward_programme (starts_at desc, version desc);
create trigger reward_programme_append_only before update or delete on reward_programme for each row execute function reject_change();

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

-- The operator's commitment in units, in addition to the reward pool.
create table reward_policy (
  id bigint generated always as identity primary key,
  committed_coin bigint not null check (committed_coin >= 0),
  committed_usd bigint not null check (committed_usd >= 0),
  reason text not null,
  created_by bigint,
  created_at timestamptz not null
);
create trigger reward_policy_append_only before update or delete on reward_policy for each row execute function reject_change();
insert into reward_policy (committed_coin, committed_usd, reason, created_at)
values (0, 0, 'Opening policy', '2000-01-01T00:00:00Z');

-- One row per asset. A transaction that adds liabilities, or spends pool money in another way than for rewards, locks this row last and
-- raises the version by one. An unchanged version shows that no such transaction has committed since the coverage was read.
create table reward_coverage_version (
  asset text primary key check (asset in ('COIN', 'USD')),
  version bigint not null default 0
) with (fillfactor = 50);
insert into reward_coverage_version (asset) values ('COIN'), ('USD');

-- Liabilities by UTC day and kind, overdue days included. A liability is a pending reward on the day of its release, or a step of a running
-- stake or NFT that no run has processed, with the largest possible bounties. Writers append to reward_liability_pending; a job adds these
-- rows to reward_liability.
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
  steps int not null check (steps > 0),
  amount bigint not null,
  -- Run that wrote this row to reduce liabilities. Readers ignore the row until the run's credits are complete. Then the column is set to
  -- null, and the rewards are owed instead.
  run_id bigint
);

-- Sources of daily or monthly rewards: a sold stake, Omega stake (stake log) or NFT. `processed` is the number of steps that runs
-- have processed, paid or not, and no other table stores this number. The fill factor leaves space for each row's next version on the same page, so
-- that an update changes no index.
-- `stream` is the class of the source: 0 for stakes, 1 for Omega stakes, 2 for NFTs. A step is a day; for an NFT a month.
create table reward_source (
  id bigint generated always as identity primary key,
  stream smallint not null check (stream in (0, 1, 2)),
  -- Public id of the stake or NFT purchase, and the name of the plan or NFT.
  public_id text not null unique,
  label text not null,
  member_id bigint not null references member (id),
  -- All steps together pay `percent` (in percent units) of `principal`.
  principal bigint not null check (principal > 0),
  percent bigint not null check (percent >= 0),
  -- Units per step; `steps` is the number of steps.
  amount bigint not null check (amount >= 0),
  -- Sum of the bounties of all five levels on one step, in units, if every upline earns.
  bounty bigint not null check (bounty >= 0),
  steps int not null check (steps > 0),
  starts_at timestamptz not null,
  -- The last step's due time, in UTC, so that the expression can be stored.
  ends_at timestamptz not null generated always as
    (((starts_at at time zone 'UTC') + steps * case when stream = 2 then interval '1 month' else interval '1 day' end) at time zone 'UTC') stored,
  programme_version int not null references reward_programme (version),
  processed int not null default 0,
  -- NFTs only: amount of the paid months, and the time of the last one (EN-36). While the owner is blocked or not verified, a
  -- month counts as a step without payment.
  distributed bigint not null default 0,
  distributed_at timestamptz,
  -- Set when staff reverse the purchase. No further step becomes due.
  reversed_at timestamptz,
  -- Stakes only (RW-05): coin units for rank bonuses, a liability from the sale on, and the time at which this coin was distributed
  -- after maturity.
  rank_budget bigint not null default 0 check (rank_budget >= 0 and (stream < 2 or rank_budget = 0)),
  rank_settled_at timestamptz,
  -- True if another platform sold the source. Such a source has no level rewards and no rank budget.
  is_imported boolean not null default false,
  check (not is_imported or rank_budget = 0),
  check (rank_settled_at is null or rank_budget > 0 and reversed_at is null),
  check (processed between 0 and steps),
  check (stream = 2 or (distributed = 0 and distributed_at is null))
) with (fillfactor = 48);
-- Finds due steps by time of day. A source's time of day never changes, so an update of `processed` changes no index.
create index reward_source_by_time on reward_source (((starts_at at time zone 'UTC')::time));
-- Finds a member's running sources, for the list of upcoming rewards, without reading ended sources.
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

-- Periods in which more days were unpaid than runs may pay without staff, from `behind_since` on. Runs pay the days through
-- `automatic_through`; staff then start the run of each further day. `noticed_at` and `ended_at` (null during the period) are the times of
-- the job that found it.
create table reward_halt (
  id bigint generated always as identity primary key,
  behind_since date not null,
  automatic_through date not null,
  noticed_at timestamptz not null,
  ended_at timestamptz
);
create unique index reward_halt_single on reward_halt ((true)) where ended_at is null;

-- Reward runs. A run pays the rewards of its day that are due up to and including `through`. It writes accruals in batches, sums the
-- accruals to credits, and pays the credits in partitions.
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
  -- Copy of `reward_watermark` at the run's start, if set. A small run (`is_small`) reads only sources that may have a step due
  -- after `written_through`.
  is_small boolean not null default false,
  written_through timestamptz,
  seen_source bigint,
  newest_source bigint,
  check (not is_small or written_through is not null),
  check ((written_through is null) = (seen_source is null) and (written_through is null) = (newest_source is null))
);
create unique index reward_run_single on reward_run ((true)) where status = 'RECORDING';
create index reward_run_unpaid on reward_run (id) where status = 'PAY';
create index reward_run_by_day on reward_run (day, id);
-- Finds runs active since a moment, for the audit.
create index reward_run_by_end on reward_run ((coalesce(finished_at, 'infinity')));

-- Partitions of an open run for several workers: ranges of sources, then shares of the credits. A worker locks a partition's row until
-- commit. So each partition is processed once, and a crash leaves the partition unprocessed.
create table reward_partition (
  run_id bigint not null references reward_run (id),
  part text not null check (part in ('accruals', 'credits')),
  number int not null,
  -- Range of a partition of accruals: sources with ids above `low`, up to `high`. A partition of credits is share `low` (from 0) of `high`
  -- equal shares.
  low bigint not null,
  high bigint not null,
  done boolean not null default false,
  accruals bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  primary key (run_id, part, number)
);

-- Accruals: the reward of one source for one stake day or NFT month. Bounties are not stored here, but computed from the accruals.
create table reward_accrual (
  run_id bigint not null,
  stream smallint not null check (stream in (0, 1, 2)),
  -- Id in `reward_source`, without a foreign key, because the key's check would cost a run as much as the insert.
  source_id bigint not null,
  member_id bigint not null,
  ordinal int not null check (ordinal > 0),
  programme_version int not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null
);
-- Enforces one reward per source and day (invariant I10): a source belongs to one member and has one due time per step.
create unique index reward_accrual_once on reward_accrual (member_id, stream, due_at, source_id);
create index reward_accrual_by_run on reward_accrual using brin (run_id) with (autosummarize = on);

-- Credits: a member's sums per run and stream, with own rewards (`daily`), bounties by level (`b1` to `b5`) and the number of accruals of
-- each (`n0` to `n5`). A blocked or unverified member has no bounties, but the row still has the counts. The list of an upline's bounties
-- reads these rows down to the accruals of the members below (`reward_rows_below`).
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

-- Progress of a run's payments. Credits are paid in order of (sponsor_id, member_id). Credits up to the cursor are in the ledger or
-- claimed by a worker (`reward_payment_claim`). The other credits are owed.
create table reward_payment (
  run_id bigint not null references reward_run (id),
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0,
  -- Amount moved out of the pool for claims, including claims that are not paid yet.
  taken bigint not null default 0 check (paid <= taken and taken <= total),
  -- Largest amount that was unpaid at one time because the pool had too little. The value stays after payment.
  fell_short bigint not null default 0 check (fell_short between 0 and total),
  cursor_sponsor bigint not null default -1,
  cursor_member bigint not null default 0,
  primary key (run_id, stream)
);
create index reward_payment_open on reward_payment (stream, run_id) where paid < total;

-- Ranges of credits that a worker is paying. Each claim has a separate shard of the pool with the money, so that workers do not wait
-- for one row. After a crash the next worker pays the claim.
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

-- Instant rewards: rewards for one event (RW-01, RW-02, RW-05, RW-07), first pending, then paid. The level reward of a stake is due
-- at maturity, the level reward of an NFT with the first month.
create table reward_instant (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('referral', 'level', 'nft-level', 'rank')),
  -- Without foreign keys, because the keys' checks would cost a sale as much as the insert of its five level rewards (docs/decisions/0018-cost-of-a-sale.md).
  beneficiary_id bigint not null,
  source_member_id bigint,
  -- Id of a source (reward_source) or coin purchase; for a rank, an id derived from the rank's name.
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null check (level between 0 and 5),
  -- Amount from which `percent` is taken: coin, or for a level reward the principal.
  base bigint not null,
  percent bigint,
  amount bigint not null check (amount >= 0),
  reversed bigint not null default 0 check (reversed between 0 and amount),
  asset text not null check (asset in ('COIN', 'USD')),
  programme_version int not null,
  rank text,
  -- `held`: pending. `unearned`: a coin purchase without a reward for the sponsor.
  status text not null check (status in ('held', 'owed', 'paid', 'reversed', 'unearned')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  transfer_id bigint,
  -- True when `reward_counter` and `reward_week` include the reward.
  in_counters boolean not null default false,
  -- Part of `base` that was reversed, sold or sent over the bridge within the hold period (RW-01).
  base_returned bigint not null default 0,
  -- True while the reward is a liability and may be paid; false while the member is blocked or not verified.
  is_liability boolean not null default true,
  -- Staff's reason for the cancellation.
  cancel_reason text,
  -- The cause's public id, and the amount bought or staked.
  cause_public_id text,
  cause_amount bigint,
  -- Referral rewards only: new money that paid for `base`, in USD units.
  new_money bigint check (new_money is null or new_money > 0 and kind = 'referral'),
  -- Reason why a purchase has no reward (programme/referral.rules.ts).
  unearned_reason text check (unearned_reason in ('no-share', 'no-new-money', 'not-entitled', 'too-small')),
  check ((status in ('reversed', 'unearned')) = (reversed = amount)),
  check ((status = 'unearned') = (amount = 0) and (status = 'unearned') = (unearned_reason is not null)),
  check (base_returned between 0 and base),
  check (cause_type = case kind when 'referral' then 'coin_purchase' when 'rank' then 'rank' else 'source' end)
);
create index reward_instant_held_of on reward_instant (source_member_id, id desc) where status = 'held' and kind = 'referral';
-- Prevents a second reward for the same cause, member and level. `cause_type` is not needed, because `kind` determines it.
create unique index reward_instant_once on reward_instant (cause_id, kind, beneficiary_id, level);
create index reward_instant_by_member on reward_instant (beneficiary_id, kind, id desc);
create index reward_instant_due on reward_instant (release_at, id) where status in ('held', 'owed');
-- Finds owed rewards for the coverage check of every sale, without reading pending rewards.
create index reward_instant_owed on reward_instant (asset) where status = 'owed';
create index reward_instant_not_in_counters on reward_instant (beneficiary_id, kind) where not in_counters;
-- Finds a member's unpaid rewards by release time, without reading paid rewards.
create index reward_instant_open on reward_instant (beneficiary_id, release_at) where status in ('held', 'owed');
-- Finds a member's paid rewards of a month.
create index reward_instant_paid on reward_instant (beneficiary_id, kind, settled_at desc, id desc) where settled_at is not null;
-- Finds rewards earned, due or paid since a moment, for the audit.
create index reward_instant_by_time on reward_instant using brin (created_at, release_at) with (autosummarize = on, pages_per_range = 16);
create index reward_instant_by_payment on reward_instant (settled_at) where settled_at is not null;

create trigger member_liability after update of is_verified, is_active on member for each row
  when ((old.is_verified and old.is_active) is distinct from (new.is_verified and new.is_active)) execute function reward_update_liability();

-- Rank bonuses of members (RW-05). Rank budgets of matured stakes fill a bonus; the complete bonus is paid. The terms are those of
-- the first stake.
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
-- Finds the bonuses that are not complete, for the audit.
create index reward_rank_bonus_open on reward_rank_bonus (member_id) where completed_at is null;

-- Parts of a matured stake's rank budget that were added to leaders' bonuses. The remaining budget is no liability any more.
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

-- Counts and sums by member, kind and status, so that the cost of a list's totals does not grow with the history.
create table reward_counter (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  primary key (member_id, kind, status)
) with (fillfactor = 80);

-- Each member's rewards by UTC month and kind. A credit counts in the month of the run's day, an instant reward in the month of
-- payment. A job adds the credits in the order of `reward_credit_below`. Readers add the credits after the job's cursor
-- (`reward_earned_progress`).
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

-- Each member's instant rewards per kind and ISO week (`starts_on` is the Monday, UTC), without reversed parts. Readers add the
-- rewards with `in_counters` false.
create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  primary key (member_id, starts_on, kind)
) with (fillfactor = 80);

-- Watermark of the runs: for sources with an id up to `seen_source`, all rewards due up to `written_through` are written. A check for
-- due rewards therefore reads only later steps of these sources, and newer sources. If `written_through` is null, it reads all sources.
create table reward_watermark (
  one boolean primary key default true check (one),
  written_through timestamptz,
  seen_source bigint not null default 0,
  -- Version of the programme at the last update of all ranks.
  ranked_version int not null default 1
);
insert into reward_watermark default values;

-- Pending referral rewards that a bridge reduced, because the member sent purchased coin away. `coin` is this coin in units. If the
-- bridge is returned, the rewards are restored.
create table reward_sent_coin (
  payout_id bigint not null,
  reward_id bigint not null,
  coin bigint not null check (coin > 0),
  primary key (payout_id, reward_id)
);
create index reward_sent_coin_by_reward on reward_sent_coin (reward_id);

-- Results of simulations: each member's rewards before and after a draft programme, in units. A job computes the rows in batches,
-- writes the rows to its file, and deletes the rows.
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

create trigger reward_day_event after update of status on reward_day
  for each row when (old.status <> 'DONE' and new.status = 'DONE') execute function record_day_event('reward-day.paid');
