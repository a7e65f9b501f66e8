-- A share of an amount, rounded down to the unit (invariant I19).
create or replace function reward_share(amount bigint, percent bigint) returns bigint language sql immutable as $$
  select (amount / 1000000) * (percent / 10000) + (amount % 1000000) * (percent / 10000) / 1000000
$$;

-- When the n-th step after a moment falls: n x 24 hours later (RW-03), or the same day n months later, or that month's last
-- one (RW-06). Counted in UTC, where a day has 24 hours, so that it is immutable to the letter and becomes part of the
-- statement that asks: a call for each row would take a run half as long again.
create or replace function reward_step(monthly boolean, starts_at timestamptz, n int) returns timestamptz language sql immutable as $$
  select ((starts_at at time zone 'UTC') + n * case when monthly then interval '1 month' else interval '1 day' end) at time zone 'UTC'
$$;
-- Which members' facts are the rows of a bounty list, in list order, from the `first_row`-th on: descends only into
-- branches that hold wanted rows.
create or replace function reward_rows_below(run bigint, in_stream smallint, top bigint, level int, first_row bigint, wanted bigint)
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

-- Reward runs at a million stakes: no temporary tables, each row read as few times as its figures need.

-- Sums of 64-bit integers that stay 64-bit, and are refused when they do not fit; the built-in sum carries numeric, which
-- takes three times the memory of a group and as much time.
create or replace aggregate reward_add(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

-- Sums a run's facts up the tree into one credit a member, and notes what it comes to by stream. One level after the
-- other: no step looks at more rows than there are members with a reward below.
-- Statistics know nothing of a run that has just been written: its size decides how tables are joined, not the planner's
-- guess. Of a large run every table is read once, of a small one only its own rows by index.
create or replace function reward_sum_run(run bigint) returns void language plpgsql
set plan_cache_mode = force_custom_plan set enable_nestloop = on set enable_hashjoin = on set enable_mergejoin = on as $$
begin
  if (select facts from reward_run where id = run) > 5000 then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Planning takes longer than a small run: its plan is kept. No large run uses it, so it is made under these settings only.
    perform set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true);
  end if;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
  with rate as materialized (
    select version, v.stream, v.b[1] as b1, v.b[2] as b2, v.b[3] as b3, v.b[4] as b4, v.b[5] as b5
    from reward_programme cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), own as materialized (
    select s.*, t.sponsor_id from (
      -- Each share is rounded down by itself before it is summed (invariant I19).
      select f.member_id, f.stream, count(*)::int as n, reward_add(f.amount) as daily,
        reward_add(reward_share(f.amount, r.b1)) as b1, reward_add(reward_share(f.amount, r.b2)) as b2, reward_add(reward_share(f.amount, r.b3)) as b3,
        reward_add(reward_share(f.amount, r.b4)) as b4, reward_add(reward_share(f.amount, r.b5)) as b5
      from reward_fact f join rate r on r.version = f.programme_version and r.stream = f.stream
      where f.run_id = run group by 1, 2
    ) s join team_member t on t.member_id = s.member_id
  ), sum_1 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b1) as b1, reward_add(b2) as b2, reward_add(b3) as b3,
      reward_add(b4) as b4, reward_add(b5) as b5 from own where sponsor_id is not null group by 1, 2
  ), level_1 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_1 s
  ), sum_2 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b2) as b2, reward_add(b3) as b3, reward_add(b4) as b4,
      reward_add(b5) as b5 from level_1 where sponsor_id is not null group by 1, 2
  ), level_2 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_2 s
  ), sum_3 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b3) as b3, reward_add(b4) as b4, reward_add(b5) as b5
    from level_2 where sponsor_id is not null group by 1, 2
  ), level_3 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_3 s
  ), sum_4 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b4) as b4, reward_add(b5) as b5
    from level_3 where sponsor_id is not null group by 1, 2
  ), level_4 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_4 s
  ), sum_5 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b5) as b5 from level_4 where sponsor_id is not null group by 1, 2
  ), level_5 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_5 s
  ), team as materialized (
    select stream, member_id, max(sponsor_id) as sponsor_id, max(n1) as n1, max(n2) as n2, max(n3) as n3, max(n4) as n4, max(n5) as n5,
      max(b1) as b1, max(b2) as b2, max(b3) as b3, max(b4) as b4, max(b5) as b5
    from (
      -- At most one part of a level for each member, so that the largest is the only one.
      select stream, member_id, sponsor_id, n as n1, 0 as n2, 0 as n3, 0 as n4, 0 as n5, b1, 0::bigint as b2, 0::bigint as b3, 0::bigint as b4,
        0::bigint as b5 from level_1
      union all select stream, member_id, sponsor_id, 0, n, 0, 0, 0, 0, b2, 0, 0, 0 from level_2
      union all select stream, member_id, sponsor_id, 0, 0, n, 0, 0, 0, 0, b3, 0, 0 from level_3
      union all select stream, member_id, sponsor_id, 0, 0, 0, n, 0, 0, 0, 0, b4, 0 from level_4
      union all select stream, member_id, sponsor_id, 0, 0, 0, 0, n, 0, 0, 0, 0, b5 from level_5
    ) parts group by 1, 2
  ), line as (
    -- A full join is hashed or merged at any size; both sides are this run's own rows.
    select stream, member_id, coalesce(o.sponsor_id, t.sponsor_id, 0) as sponsor_id, coalesce(o.n, 0) as n0, coalesce(t.n1, 0) as n1,
      coalesce(t.n2, 0) as n2, coalesce(t.n3, 0) as n3, coalesce(t.n4, 0) as n4, coalesce(t.n5, 0) as n5, coalesce(o.daily, 0) as daily,
      coalesce(t.b1, 0) as b1, coalesce(t.b2, 0) as b2, coalesce(t.b3, 0) as b3, coalesce(t.b4, 0) as b4, coalesce(t.b5, 0) as b5
    from own o full join team t using (member_id, stream)
  )
  select run, l.stream, l.member_id, l.sponsor_id, g.ok, n0, n1, n2, n3, n4, n5, daily, b1 * g.share, b2 * g.share, b3 * g.share, b4 * g.share,
    b5 * g.share, daily + (b1 + b2 + b3 + b4 + b5) * g.share
  from line l left join member m on m.id = l.member_id and not (m.is_verified and m.is_active)
  cross join lateral (select m.id is null as ok, case when m.id is null then 1 else 0 end as share) g
  -- In the order of the index of all runs, so that each of its pages is touched once.
  order by l.member_id;
  insert into reward_payment (run_id, stream, credits, total)
    select run, stream, count(*), reward_add(amount) from reward_credit where run_id = run and amount > 0 group by 2;
end $$;

-- A fingerprint of everything that a run pays, independent of order: how many lines, the sum of their chained hashes, and
-- the sum of their amounts.
create or replace function reward_fingerprint(run bigint) returns text language sql stable as $$
  with line as (
    select hashint8extended(source_id, hashint8extended(member_id, hashint8extended(amount,
      hashint8extended(ordinal::bigint * 4 + stream, programme_version)))) as h, amount
    from reward_fact where run_id = run
    union all
    select hashint8extended(member_id, hashint8extended(daily, hashint8extended(b1, hashint8extended(b2, hashint8extended(b3,
      hashint8extended(b4, hashint8extended(b5, stream))))))), amount
    from reward_credit where run_id = run
  )
  select encode(sha256(convert_to(count(*) || ':' || coalesce(sum(h), 0) || ':' || coalesce(sum(amount), 0), 'UTF8')), 'hex') from line
$$;

-- Whoever is blocked is promised nothing, and what is held is promised again from the moment on which the block ends, covered
-- or not: it is a debt of the house, and where it is not covered, sales pause until it is.
create or replace function reward_promise_again() returns trigger language plpgsql as $$
begin
  with held as (
    select id from reward_instant
    where beneficiary_id = new.id and status = 'held' and promised <> (new.is_verified and new.is_active) order by id for update
  ), changed as (
    update reward_instant i set promised = not i.promised from held where i.id = held.id
    returning i.kind, i.release_at, case when i.promised then i.amount - i.reversed else i.reversed - i.amount end as amount
  )
  insert into reward_promise_pending (kind, step, starts_at, times, amount)
  select kind, 'day', min(release_at) - interval '1 day', 1, sum(amount)::bigint from changed
  group by kind, (release_at at time zone 'UTC')::date;
  return null;
end $$;
