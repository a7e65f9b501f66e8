-- Daily and monthly rewards: facts, the sums that are paid, and the runs that made them (RW-03, RW-04, RW-06, RW-08, RW-12).
-- stream: 0 stakes, 1 Omega stakes (stake logs), 2 NFTs.

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
  stake_cursor bigint not null default 0,
  nft_cursor bigint not null default 0,
  facts bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  hash text,
  by_hand boolean not null,
  started_by text,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index reward_run_single on reward_run ((true)) where status = 'FACTS';
create index reward_run_unpaid on reward_run (id) where status = 'PAY';
create index reward_run_by_day on reward_run (day, id);

-- One reward of one stake day or NFT month. The only copy: bounties are worked out of it.
create table reward_fact (
  run_id bigint not null,
  stream smallint not null check (stream in (0, 1, 2)),
  source_id bigint not null,
  member_id bigint not null,
  ordinal int not null check (ordinal > 0),
  programme_version int not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null
);
-- A source belongs to one member and has one payment per moment, so this is also "once per source and day" (invariant I10).
create unique index reward_fact_once on reward_fact (member_id, stream, due_at, source_id);
create index reward_fact_by_run on reward_fact using brin (run_id);

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

-- How far a run is paid: credits up to the cursor, in the order of (sponsor_id, member_id), are in the ledger; the
-- others are owed.
create table reward_payment (
  run_id bigint not null references reward_run (id),
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0 check (paid <= total),
  cursor_sponsor bigint not null default -1,
  cursor_member bigint not null default 0,
  primary key (run_id, stream)
);
create index reward_payment_open on reward_payment (stream, run_id) where paid < total;

-- Half of each page stays free, so that counting a paid day changes no index.
alter table stake set (fillfactor = 50);
alter table nft_purchase set (fillfactor = 70);

-- When the n-th month of a purchase is due: the same day of the month, or the month's last one (RW-06).
create function reward_month(purchased_at timestamptz, months int) returns timestamptz language sql immutable as $$
  select ((purchased_at at time zone 'UTC') + make_interval(months => months)) at time zone 'UTC'
$$;

-- Sums a run's facts level by level up the tree: each level is one hash aggregate, no step looks at more rows than there
-- are members, and the result is pivoted to one row per member.
create function reward_sum_run(run bigint) returns void language plpgsql as $$
begin
  create temp table level_0 on commit drop as
    with rate as materialized (
      select version, v.stream, v.b[1] as b1, v.b[2] as b2, v.b[3] as b3, v.b[4] as b4, v.b[5] as b5
      from reward_programme cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
    )
    select f.stream, f.member_id, count(*)::int as n, sum(f.amount)::bigint as daily,
      sum(reward_share(f.amount, r.b1))::bigint as b1, sum(reward_share(f.amount, r.b2))::bigint as b2, sum(reward_share(f.amount, r.b3))::bigint as b3,
      sum(reward_share(f.amount, r.b4))::bigint as b4, sum(reward_share(f.amount, r.b5))::bigint as b5
    from reward_fact f join rate r on r.version = f.programme_version and r.stream = f.stream
    where f.run_id = run group by 1, 2;
  analyze level_0;
  create temp table level_1 on commit drop as
    select l.stream, t.sponsor_id as member_id, sum(l.n)::int as n, sum(l.b1)::bigint as b1, sum(l.b2)::bigint as b2,
      sum(l.b3)::bigint as b3, sum(l.b4)::bigint as b4, sum(l.b5)::bigint as b5
    from level_0 l join team_member t on t.member_id = l.member_id where t.sponsor_id is not null group by 1, 2;
  analyze level_1;
  create temp table level_2 on commit drop as
    select l.stream, t.sponsor_id as member_id, sum(l.n)::int as n, sum(l.b2)::bigint as b2, sum(l.b3)::bigint as b3,
      sum(l.b4)::bigint as b4, sum(l.b5)::bigint as b5
    from level_1 l join team_member t on t.member_id = l.member_id where t.sponsor_id is not null group by 1, 2;
  analyze level_2;
  create temp table level_3 on commit drop as
    select l.stream, t.sponsor_id as member_id, sum(l.n)::int as n, sum(l.b3)::bigint as b3, sum(l.b4)::bigint as b4, sum(l.b5)::bigint as b5
    from level_2 l join team_member t on t.member_id = l.member_id where t.sponsor_id is not null group by 1, 2;
  analyze level_3;
  create temp table level_4 on commit drop as
    select l.stream, t.sponsor_id as member_id, sum(l.n)::int as n, sum(l.b4)::bigint as b4, sum(l.b5)::bigint as b5
    from level_3 l join team_member t on t.member_id = l.member_id where t.sponsor_id is not null group by 1, 2;
  analyze level_4;
  create temp table level_5 on commit drop as
    select l.stream, t.sponsor_id as member_id, sum(l.n)::int as n, sum(l.b5)::bigint as b5
    from level_4 l join team_member t on t.member_id = l.member_id where t.sponsor_id is not null group by 1, 2;
  analyze level_5;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
    select run, s.stream, s.member_id, coalesce(t.sponsor_id, 0), m.is_verified and m.is_active, n0, n1, n2, n3, n4, n5, daily,
      case when m.is_verified and m.is_active then b1 else 0 end, case when m.is_verified and m.is_active then b2 else 0 end,
      case when m.is_verified and m.is_active then b3 else 0 end, case when m.is_verified and m.is_active then b4 else 0 end,
      case when m.is_verified and m.is_active then b5 else 0 end,
      daily + case when m.is_verified and m.is_active then b1 + b2 + b3 + b4 + b5 else 0 end
    from (
      -- At most one part of a level for each member: the largest is the only one, and no sum has to be carried as numeric.
      select stream, member_id, max(n0) as n0, max(n1) as n1, max(n2) as n2, max(n3) as n3, max(n4) as n4, max(n5) as n5,
        max(daily) as daily, max(b1) as b1, max(b2) as b2, max(b3) as b3, max(b4) as b4, max(b5) as b5
      from (
        select stream, member_id, n as n0, 0 as n1, 0 as n2, 0 as n3, 0 as n4, 0 as n5, daily, 0::bigint as b1, 0::bigint as b2,
          0::bigint as b3, 0::bigint as b4, 0::bigint as b5 from level_0
        union all select stream, member_id, 0, n, 0, 0, 0, 0, 0, b1, 0, 0, 0, 0 from level_1
        union all select stream, member_id, 0, 0, n, 0, 0, 0, 0, 0, b2, 0, 0, 0 from level_2
        union all select stream, member_id, 0, 0, 0, n, 0, 0, 0, 0, 0, b3, 0, 0 from level_3
        union all select stream, member_id, 0, 0, 0, 0, n, 0, 0, 0, 0, 0, b4, 0 from level_4
        union all select stream, member_id, 0, 0, 0, 0, 0, n, 0, 0, 0, 0, 0, b5 from level_5
      ) parts group by 1, 2
    ) s join member m on m.id = s.member_id left join team_member t on t.member_id = s.member_id
    order by s.member_id;
  insert into reward_payment (run_id, stream, credits, total)
    select run, stream, count(*), sum(amount)::bigint from reward_credit where run_id = run and amount > 0 group by 2;
  drop table level_0, level_1, level_2, level_3, level_4, level_5;
end $$;

-- A fingerprint of everything that a run pays, independent of order: how many lines, the sum of their 64-bit hashes, and
-- the sum of their amounts.
create function reward_fingerprint(run bigint) returns text language sql stable as $$
  with line as (
    select hash_record_extended(row (f.stream, f.source_id, f.member_id, f.ordinal, f.programme_version, f.amount), 1) as h, f.amount
    from reward_fact f where f.run_id = run
    union all
    select hash_record_extended(row (c.stream, c.member_id, c.daily, c.b1, c.b2, c.b3, c.b4, c.b5), 2), c.amount
    from reward_credit c where c.run_id = run
  )
  select encode(sha256(convert_to(count(*) || ':' || coalesce(sum(h), 0) || ':' || coalesce(sum(amount), 0), 'UTF8')), 'hex') from line
$$;

-- Which members' facts are the rows of a bounty list, in list order, from the `first_row`-th on: descends only into
-- branches that hold wanted rows.
create function reward_rows_below(run bigint, in_stream smallint, top bigint, level int, first_row bigint, wanted bigint)
returns table (source_member bigint, first_fact bigint, facts bigint) language plpgsql stable as $$
declare
  below record;
  rows_there bigint;
  skipping bigint := first_row;
  missing bigint := wanted;
  taken bigint;
begin
  for below in select c.member_id, c.n0, c.n1, c.n2, c.n3, c.n4 from reward_credit c
    where c.run_id = run and c.stream = in_stream and c.sponsor_id = top order by c.member_id
  loop
    exit when missing <= 0;
    rows_there := case level when 1 then below.n0 when 2 then below.n1 when 3 then below.n2 when 4 then below.n3 else below.n4 end;
    if skipping >= rows_there then
      skipping := skipping - rows_there;
      continue;
    end if;
    taken := least(rows_there - skipping, missing);
    if level = 1 then
      source_member := below.member_id;
      first_fact := skipping;
      facts := taken;
      return next;
    else
      return query select * from reward_rows_below(run, in_stream, below.member_id, level - 1, skipping, taken);
    end if;
    missing := missing - taken;
    skipping := 0;
  end loop;
end $$;

-- Rewards that an event makes at once (RW-01, RW-02, RW-05, RW-07): held for a time, then paid.
create table reward_instant (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('referral', 'level', 'nft-level', 'rank')),
  beneficiary_id bigint not null references member (id),
  source_member_id bigint references member (id),
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null check (level between 0 and 5),
  base bigint not null,
  percent bigint,
  amount bigint not null check (amount > 0),
  reversed bigint not null default 0 check (reversed between 0 and amount),
  -- Part of `reversed` that was already paid out and could not be taken back.
  unrecovered bigint not null default 0,
  asset text not null check (asset in ('COIN', 'USD')),
  programme_version int not null references reward_programme (version),
  rank text,
  status text not null check (status in ('held', 'owed', 'paid', 'reversed')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  transfer_id bigint,
  tallied boolean not null default false,
  check ((status = 'reversed') = (reversed = amount))
);
create unique index reward_instant_once on reward_instant (cause_type, cause_id, kind, beneficiary_id, level);
create index reward_instant_by_member on reward_instant (beneficiary_id, kind, id desc);
create index reward_instant_due on reward_instant (release_at, id) where status in ('held', 'owed');
create index reward_instant_untallied on reward_instant (beneficiary_id, kind) where not tallied;

-- Counts and sums of the above by member, kind and status, so that a list's figures cost the same for any history.
create table reward_tally (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  primary key (member_id, kind, status)
) with (fillfactor = 80);
