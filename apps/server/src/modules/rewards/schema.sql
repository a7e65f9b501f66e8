-- Staff follow rewards back to what they rest on.
-- published: reward_instant, reward_run

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
  created_at timestamptz not null,
  -- Stakes of at least so many days pay the whole level share, shorter ones their part of it (RW-02).
  full_level_share_days int not null default 365 check (full_level_share_days between 1 and 36500)
);
-- Of versions with one start the newest holds: what was planned is superseded, never taken away.
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

-- One row per asset, which everything takes that promises rewards, or takes money from the pool for something else, as its last
-- step: they confirm one after the other what they read. The version counts them.
create table reward_cover (
  asset text primary key check (asset in ('COIN', 'USD')),
  version bigint not null default 0
) with (fillfactor = 50);
insert into reward_cover (asset) values ('COIN'), ('USD');

-- What is promised, by UTC day and kind: what running stakes and NFTs have not counted yet with the largest possible bounties,
-- and held rewards on the day of their release, however long these days are past. Whoever promises something, keeps it or takes
-- it back appends to the second table; a sweep folds it into the first.
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
  amount bigint not null,
  -- The run that counts it, until that is worked out: a promise stands until what comes of it is owed.
  run_id bigint
);

-- What pays day by day or month by month: a stake, an Omega stake (stake log) or an NFT, as its sale handed it over. Steps
-- are counted here and nowhere else. A little more than half of each page stays free, for each row once more and what points
-- to it, so that counting one changes no index.
-- stream: 0 stakes, 1 Omega stakes, 2 NFTs. A step is a day; of an NFT a month.
create table reward_source (
  id bigint generated always as identity primary key,
  stream smallint not null check (stream in (0, 1, 2)),
  -- As members know it, and what it is called.
  public_id text not null unique,
  label text not null,
  member_id bigint not null references member (id),
  -- What the rewards of all steps are a share of, and the share, in units of percent.
  principal bigint not null check (principal > 0),
  percent bigint not null check (percent >= 0),
  -- Units of one step, and how many there are.
  amount bigint not null check (amount >= 0),
  -- The bounties of all levels on one step, were everyone above to earn.
  bounty bigint not null check (bounty >= 0),
  times int not null check (times > 0),
  starts_at timestamptz not null,
  -- When the last step falls due; counted in UTC, so that the expression may be stored.
  ends_at timestamptz not null generated always as
    (((starts_at at time zone 'UTC') + times * case when stream = 2 then interval '1 month' else interval '1 day' end) at time zone 'UTC') stored,
  programme_version int not null references reward_programme (version),
  counted int not null default 0,
  -- Of an NFT only: what its months paid so far, and when the last of them was written down (EN-36). A month of an owner
  -- who is blocked or not verified counts and pays nothing.
  distributed bigint not null default 0,
  distributed_at timestamptz,
  -- Staff took the purchase back: no further step falls due.
  undone_at timestamptz,
  check (counted between 0 and times),
  check (stream = 2 or (distributed = 0 and distributed_at is null))
) with (fillfactor = 48);
-- What is due is looked for where it can be: the steps of a source fall due at one time of the day, which never changes, so
-- that counting one still changes no index.
create index reward_source_by_time on reward_source (((starts_at at time zone 'UTC')::time));
-- What is still to come for a member (the planner), however many have ended.
create index reward_source_by_member on reward_source (member_id, ends_at);
-- What was sold or undone since a moment: the audit looks at that.
create index reward_source_by_start on reward_source using brin (starts_at) with (autosummarize = on, pages_per_range = 16);
create index reward_source_by_undoing on reward_source (undone_at) where undone_at is not null;

-- Daily and monthly rewards: facts, the sums that are paid, and the runs that made them (RW-03, RW-04, RW-06, RW-08, RW-12).

-- UTC business days (invariant I18).
create table reward_day (
  day date primary key,
  status text not null check (status in ('OPEN', 'DONE')),
  runs int not null default 0,
  facts bigint not null default 0,
  total_coin bigint not null default 0,
  total_usd bigint not null default 0,
  hash text,
  opened_at timestamptz not null,
  closed_at timestamptz
);

-- Set when payment lies more days behind than it may make up by itself; a person goes on from there, day by day.
create table reward_halt (
  id bigint generated always as identity primary key,
  behind_since date not null,
  allowed_through date not null,
  noticed_at timestamptz not null,
  ended_at timestamptz
);
create unique index reward_halt_single on reward_halt ((true)) where ended_at is null;

-- One run pays what of its day was due through a moment. Facts are written in batches, then summed, then paid in slices.
create table reward_run (
  id bigint generated always as identity primary key,
  day date not null references reward_day (day),
  through timestamptz not null,
  status text not null check (status in ('FACTS', 'PAY', 'DONE')),
  facts bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  hash text,
  by_hand boolean not null,
  started_by text,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Where the watch stood when the run began, if it did; with little to do, only the sources near it are looked at.
  few boolean not null default false,
  clear_through timestamptz,
  seen_source bigint,
  newest_source bigint,
  check (not few or clear_through is not null),
  check ((clear_through is null) = (seen_source is null) and (clear_through is null) = (newest_source is null))
);
create unique index reward_run_single on reward_run ((true)) where status = 'FACTS';
create index reward_run_unpaid on reward_run (id) where status = 'PAY';
create index reward_run_by_day on reward_run (day, id);
-- What was worked at since a moment: the audit looks at that.
create index reward_run_by_end on reward_run ((coalesce(finished_at, 'infinity')));

-- What an open run is cut into, so that several lanes work at it: first stretches of sources, then shares of the credits.
-- Whoever works a slice out holds its row until that is committed: it is done once, and a lane that dies leaves it as it was.
create table reward_slice (
  run_id bigint not null references reward_run (id),
  part text not null check (part in ('facts', 'credits')),
  number int not null,
  -- Of facts: sources with ids above the first, up to the second one. Of credits: which share (from 0), of how many.
  low bigint not null,
  high bigint not null,
  done boolean not null default false,
  facts bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  primary key (run_id, part, number)
);

-- One reward of one stake day or NFT month. The only copy: bounties are worked out of it.
create table reward_fact (
  run_id bigint not null,
  stream smallint not null check (stream in (0, 1, 2)),
  -- `reward_source`; no foreign key, whose check would cost a run as much as the row.
  source_id bigint not null,
  member_id bigint not null,
  ordinal int not null check (ordinal > 0),
  programme_version int not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null
);
-- A source belongs to one member and has one payment per moment, so this is also "once per source and day" (invariant I10).
create unique index reward_fact_once on reward_fact (member_id, stream, due_at, source_id);
create index reward_fact_by_run on reward_fact using brin (run_id) with (autosummarize = on);

-- What a member gets from a run, one row: own rewards and bounties by level, with the number of facts behind each. A
-- member who earns no bounty (blocked, not verified) has counts too: those above find their rows through them.
create table reward_credit (
  run_id bigint not null,
  stream smallint not null,
  member_id bigint not null,
  -- 0 when nobody stands above.
  sponsor_id bigint not null,
  eligible boolean not null,
  n0 int not null, n1 int not null, n2 int not null, n3 int not null, n4 int not null, n5 int not null,
  daily bigint not null, b1 bigint not null, b2 bigint not null, b3 bigint not null, b4 bigint not null, b5 bigint not null,
  amount bigint not null check (amount >= 0 and amount = daily + b1 + b2 + b3 + b4 + b5)
);
create unique index reward_credit_by_member on reward_credit (member_id, stream, run_id);
create index reward_credit_below on reward_credit (run_id, stream, sponsor_id, member_id);

-- How far a run is paid: credits up to the cursor, in the order of (sponsor_id, member_id), are in the ledger, or taken by
-- a lane that is about to pay them; the others are owed.
create table reward_payment (
  run_id bigint not null references reward_run (id),
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0,
  taken bigint not null default 0 check (paid <= taken and taken <= total),
  -- The most of it that the pool could not pay at some time; it stays when that was paid.
  fell_short bigint not null default 0 check (fell_short between 0 and total),
  cursor_sponsor bigint not null default -1,
  cursor_member bigint not null default 0,
  primary key (run_id, stream)
);
create index reward_payment_open on reward_payment (stream, run_id) where paid < total;

-- Credits that are being paid. What they come to has left the pool for a slot of its own, so that lanes need not wait for
-- each other at one row; who dies leaves them to the next lane.
create table reward_taken (
  run_id bigint not null,
  stream smallint not null,
  slot int not null check (slot > 0),
  -- Behind whom they stand in the order of the payment, and the last of them.
  after_sponsor bigint not null,
  after_member bigint not null,
  last_sponsor bigint not null,
  last_member bigint not null,
  members int not null,
  total bigint not null check (total > 0),
  primary key (run_id, stream, slot),
  foreign key (run_id, stream) references reward_payment (run_id, stream)
);

-- Rewards that an event makes at once (RW-01, RW-02, RW-05, RW-07): held for a time, then paid.
create table reward_instant (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('referral', 'level', 'nft-level', 'rank')),
  -- No foreign keys: their checks would cost a sale as much as all five rows (docs/decisions/0018-cost-of-a-sale.md).
  beneficiary_id bigint not null,
  source_member_id bigint,
  -- A source (reward_source), a purchase of coin or, by a number for its name, a rank.
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null check (level between 0 and 5),
  base bigint not null,
  percent bigint,
  amount bigint not null check (amount > 0),
  reversed bigint not null default 0 check (reversed between 0 and amount),
  asset text not null check (asset in ('COIN', 'USD')),
  programme_version int not null,
  rank text,
  status text not null check (status in ('held', 'owed', 'paid', 'reversed')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  transfer_id bigint,
  tallied boolean not null default false,
  -- Part of `base` that was undone, sold or sent away within the hold period (RW-01).
  base_back bigint not null default 0,
  -- Whether it stands in the forecast, and may be paid: not while its member is blocked.
  promised boolean not null default true,
  -- Why staff took it back.
  cancel_reason text,
  -- What it rests on as members know it, and how much was bought or staked.
  cause_public_id text,
  cause_amount bigint,
  -- Of a rank bonus whose clock stands still: what is left of its hold, in milliseconds. Null while it runs,
  -- and for the other kinds.
  waits_ms bigint check (kind = 'rank' or waits_ms is null),
  -- Of a referral reward: USD units of new money that had bought its base.
  new_money bigint check (new_money is null or new_money > 0 and kind = 'referral'),
  check ((status = 'reversed') = (reversed = amount)),
  check (base_back between 0 and base),
  check (cause_type = case kind when 'referral' then 'coin_purchase' when 'rank' then 'rank' else 'source' end)
);
create index reward_instant_held_of on reward_instant (source_member_id, id desc) where status = 'held' and kind = 'referral';
create index reward_instant_rank_held on reward_instant (created_at, beneficiary_id desc, id) where kind = 'rank' and status = 'held';
-- The kind says what type of cause it is.
create unique index reward_instant_once on reward_instant (cause_id, kind, beneficiary_id, level);
create index reward_instant_by_member on reward_instant (beneficiary_id, kind, id desc);
create index reward_instant_due on reward_instant (release_at, id) where status in ('held', 'owed');
-- What is owed is asked for by every sale, however much is held.
create index reward_instant_owed on reward_instant (asset) where status = 'owed';
create index reward_instant_untallied on reward_instant (beneficiary_id, kind) where not tallied;
-- The planner shows what is held for a member and when it is paid, however long the history is.
create index reward_instant_held on reward_instant (beneficiary_id, release_at) where status = 'held';
-- What was earned, fell due or was paid since a moment: the audit looks at that.
create index reward_instant_by_time on reward_instant using brin (created_at, release_at) with (autosummarize = on, pages_per_range = 16);
create index reward_instant_by_payment on reward_instant (settled_at) where settled_at is not null;

create trigger member_promises after update of is_verified, is_active on member for each row
  when ((old.is_verified and old.is_active) is distinct from (new.is_verified and new.is_active)) execute function reward_promise_again();

-- Counts and sums of the above by member, kind and status, so that a list's figures cost the same for any history.
create table reward_tally (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  primary key (member_id, kind, status)
) with (fillfactor = 80);

-- What each member's runs came to by stream, as far as the credits were folded into it in the order of their index; those
-- behind that place are read as they are.
create table reward_earned (
  member_id bigint not null,
  stream smallint not null,
  amount bigint not null,
  primary key (member_id, stream)
) with (fillfactor = 80);
create table reward_earned_progress (
  one boolean primary key default true check (one),
  run_id bigint not null default 0,
  stream smallint not null default 0,
  sponsor_id bigint not null default 0,
  member_id bigint not null default 0
);
insert into reward_earned_progress default values;

-- What each member's instant rewards of a kind add up to in an ISO week (by its Monday, UTC), less what was taken back.
-- Rows are added when they are tallied; those that are not yet are read as they are.
create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  primary key (member_id, starts_on, kind)
) with (fillfactor = 80);

-- Up to `clear_through` no reward waits of the sources up to the seen id: only what falls due later, and what is
-- new, has to be looked at. Null: look at everything.
create table reward_watch (
  one boolean primary key default true check (one),
  clear_through timestamptz,
  seen_source bigint not null default 0
);
insert into reward_watch default values;

-- What bridges reversed of pending referral rewards: coin units of their base. A bridge that comes back restores it.
create table reward_sent_coin (
  payout_id bigint not null,
  reward_id bigint not null,
  coin bigint not null check (coin > 0),
  primary key (payout_id, reward_id)
);
create index reward_sent_coin_by_reward on reward_sent_coin (reward_id);

-- Figures of a draft of the programme that is tried on days of the past, while a job works them out slice by slice and until
-- they stand in its file. Nothing rests on them.
create table reward_trial (
  simulation text not null,
  member_id bigint not null,
  kind text not null,
  before bigint not null,
  after bigint not null,
  begun_at timestamptz not null,
  primary key (simulation, member_id, kind)
);
create index reward_trial_by_time on reward_trial (begun_at);
