-- Returns a share of an amount, rounded down to the unit (invariant I19).
create or replace function reward_share(amount bigint, percent bigint) returns bigint language sql immutable as $$
  select (amount / 1000000) * (percent / 10000) + (amount % 1000000) * (percent / 10000) / 1000000
$$;

-- Returns the due time of the n-th step: n x 24 hours later (RW-03), or n months later (RW-06).
-- In a shorter month the step is due on the last day. UTC days have 24 hours, so the function is immutable and PostgreSQL inlines it.
-- Without inlining a run would take 50 % longer.
create or replace function reward_step(monthly boolean, starts_at timestamptz, n int) returns timestamptz language sql immutable as $$
  select ((starts_at at time zone 'UTC') + n * case when monthly then interval '1 month' else interval '1 day' end) at time zone 'UTC'
$$;
-- Returns the members who earned the accruals in a bounty list, in the order of the list, from `first_row` on. The function reads
-- only branches with rows of the requested page.
create or replace function reward_rows_below(run bigint, in_stream smallint, top bigint, level int, first_row bigint, wanted bigint)
returns table (source_member bigint, first_accrual bigint, accruals bigint) language plpgsql stable as $$
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
      first_accrual := skipping;
      accruals := taken;
      return next;
    else
      return query select * from reward_rows_below(run, in_stream, below.member_id, level - 1, skipping, taken);
    end if;
    missing := missing - taken;
    skipping := 0;
  end loop;
end $$;

-- The functions below serve runs over a million stakes: no temporary tables, and few reads per row.

-- Sums 64-bit integers in 64 bits, and fails on overflow. The built-in sum uses numeric and takes three times the memory and the time.
create or replace aggregate reward_add(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

-- Sums a run's accruals into one credit per member and stream, level by level up the tree. A level reads at most one row per member with a
-- reward in the level below. PostgreSQL has no statistics for a new run, so the number of accruals selects the join method. A large run
-- reads each table once, and a small run reads its rows by index. Each worker sums all credits, but inserts only its share: blocks of
-- member ids, so that workers write to different pages.
create or replace function reward_sum_run(run bigint, share bigint, shares bigint) returns void language plpgsql
set plan_cache_mode = force_custom_plan set enable_nestloop = on set enable_hashjoin = on set enable_mergejoin = on as $$
begin
  if (select accruals from reward_run where id = run) > 5000 then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Uses a generic plan, because planning takes longer than a small run. Large runs plan again and do not use this plan.
    perform set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true);
  end if;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
  with rate as materialized (
    select version, v.stream, v.b[1] as b1, v.b[2] as b2, v.b[3] as b3, v.b[4] as b4, v.b[5] as b5
    from reward_programme cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), own as materialized (
    select s.*, t.sponsor_id from (
      -- Rounds each share down before the sum (invariant I19).
      select f.member_id, f.stream, count(*)::int as n, reward_add(f.amount) as daily,
        reward_add(reward_share(f.amount, r.b1)) as b1, reward_add(reward_share(f.amount, r.b2)) as b2, reward_add(reward_share(f.amount, r.b3)) as b3,
        reward_add(reward_share(f.amount, r.b4)) as b4, reward_add(reward_share(f.amount, r.b5)) as b5
      from reward_accrual f join rate r on r.version = f.programme_version and r.stream = f.stream
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
      -- A member has at most one row per level, so that max() returns this row's value.
      select stream, member_id, sponsor_id, n as n1, 0 as n2, 0 as n3, 0 as n4, 0 as n5, b1, 0::bigint as b2, 0::bigint as b3, 0::bigint as b4,
        0::bigint as b5 from level_1
      union all select stream, member_id, sponsor_id, 0, n, 0, 0, 0, 0, b2, 0, 0, 0 from level_2
      union all select stream, member_id, sponsor_id, 0, 0, n, 0, 0, 0, 0, b3, 0, 0 from level_3
      union all select stream, member_id, sponsor_id, 0, 0, 0, n, 0, 0, 0, 0, b4, 0 from level_4
      union all select stream, member_id, sponsor_id, 0, 0, 0, 0, n, 0, 0, 0, 0, b5 from level_5
    ) parts group by 1, 2
  ), line as (
    -- PostgreSQL can only hash or merge a full join. Both sides contain only this run's rows.
    select stream, member_id, coalesce(o.sponsor_id, t.sponsor_id, 0) as sponsor_id, coalesce(o.n, 0) as n0, coalesce(t.n1, 0) as n1,
      coalesce(t.n2, 0) as n2, coalesce(t.n3, 0) as n3, coalesce(t.n4, 0) as n4, coalesce(t.n5, 0) as n5, coalesce(o.daily, 0) as daily,
      coalesce(t.b1, 0) as b1, coalesce(t.b2, 0) as b2, coalesce(t.b3, 0) as b3, coalesce(t.b4, 0) as b4, coalesce(t.b5, 0) as b5
    from (select * from own where member_id / 1024 % shares = share) o
    full join (select * from team where member_id / 1024 % shares = share) t using (member_id, stream)
  )
  select run, l.stream, l.member_id, l.sponsor_id, g.ok, n0, n1, n2, n3, n4, n5, daily, b1 * g.part, b2 * g.part, b3 * g.part, b4 * g.part,
    b5 * g.part, daily + (b1 + b2 + b3 + b4 + b5) * g.part
  from line l left join member m on m.id = l.member_id and not (m.is_verified and m.is_active)
  cross join lateral (select m.id is null as ok, case when m.id is null then 1 else 0 end as part) g
  -- Inserts in the order of the index over all runs, so that each page of the index is read once.
  order by l.member_id;
end $$;

-- Returns a fingerprint of a run's accruals and credits: a hash over the row count, the sum of the row hashes, and the total amount.
-- The order of the rows does not change the fingerprint.
create or replace function reward_fingerprint(run bigint) returns text language sql stable as $$
  with line as (
    select hashint8extended(source_id, hashint8extended(member_id, hashint8extended(amount,
      hashint8extended(ordinal::bigint * 4 + stream, programme_version)))) as h, amount
    from reward_accrual where run_id = run
    union all
    select hashint8extended(member_id, hashint8extended(daily, hashint8extended(b1, hashint8extended(b2, hashint8extended(b3,
      hashint8extended(b4, hashint8extended(b5, stream))))))), amount
    from reward_credit where run_id = run
  )
  select encode(sha256(convert_to(count(*) || ':' || coalesce(sum(h), 0) || ':' || coalesce(sum(amount), 0), 'UTF8')), 'hex') from line
$$;

-- Removes a blocked member's pending rewards from the liabilities, and adds them again when the block ends.
-- The rewards are added even without coverage, because the operator owes them. Sales then pause until the pool covers them.
create or replace function reward_update_liability() returns trigger language plpgsql as $$
begin
  with held as (
    select id from reward_instant
    where beneficiary_id = new.id and status = 'held' and is_liability <> (new.is_verified and new.is_active) order by id for update
  ), changed as (
    update reward_instant i set is_liability = not i.is_liability from held where i.id = held.id
    returning i.kind, i.release_at, case when i.is_liability then i.amount - i.reversed else i.reversed - i.amount end as amount
  )
  insert into reward_liability_pending (kind, step, starts_at, steps, amount)
  select kind, 'day', min(release_at) - interval '1 day', 1, sum(amount)::bigint from changed
  group by kind, (release_at at time zone 'UTC')::date;
  return null;
end $$;

-- Returns an asset's liabilities, owed rewards, pool and commitment, in units. A late run changes nothing: a reward is in `promised`
-- or `owed` until payment or cancellation.
-- Every batch of sales calls this function, so it uses a generic plan: planning would cost more than the reads. The plan must use
-- indexes, because it may date from a time when the tables were small.
create or replace function reward_coverage(of_asset text)
returns table (committed bigint, pool bigint, promised bigint, owed bigint) language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  kinds constant text[] := case of_asset when 'USD' then array['nft-monthly', 'nft-profit-bounty', 'nft-level']
    else array['daily', 'profit-bounty', 'stake-log', 'stake-log-bounty', 'referral', 'level', 'rank'] end;
  account constant bigint := ledger_account_number(null, 'SYS-REWARD', of_asset, 0);
begin
  return query select case of_asset when 'COIN' then p.committed_coin else p.committed_usd end,
    (select coalesce(sum(a.balance), 0)::bigint from ledger_account a where a.id between account - 99 and account),
    ((select coalesce(sum(r.amount), 0) from reward_liability r where r.kind = any (kinds))
      + (select coalesce(sum(r.amount::numeric * r.steps), 0) from reward_liability_pending r where r.run_id is null and r.kind = any (kinds)))::bigint,
    ((select coalesce(sum(r.total - r.paid), 0) from reward_payment r where r.paid < r.total and (r.stream = 2) = (of_asset = 'USD'))
      + (select coalesce(sum(r.amount - r.reversed), 0) from reward_instant r where r.status = 'owed' and r.asset = of_asset))::bigint
  from reward_policy p order by p.id desc limit 1;
end $$;

-- Confirms the coverage of an asset's new liabilities after the insert, and locks the asset's version until the transaction ends.
-- Returns null if the version is unchanged, because the coverage that the caller read is then still valid. Otherwise returns the
-- remaining coverage in units, below 0 if the liabilities are not covered.
create or replace function reward_confirm_coverage(of_asset text, seen_version bigint) returns bigint language plpgsql as $$
begin
  update reward_coverage_version set version = version + 1 where asset = of_asset and version = seen_version;
  if found then return null; end if;
  update reward_coverage_version set version = version + 1 where asset = of_asset;
  return (select c.pool + c.committed - c.promised - c.owed from reward_coverage(of_asset) c);
end $$;

-- Inserts sold sources (reward_source rows as JSON, in order), the pending level rewards (RW-02, RW-07) and the liabilities.
-- The level rewards of a stake are due at maturity, those of an NFT with the first month.
-- Each of the five uplines above the buyer gets the share of the source's programme version, rounded down. An upline who does not
-- earn still counts as a level. `levelReward` and `shareOf` in TypeScript compute the same for one reward. The function uses a
-- generic plan, because planning each batch took longer than the execution.
create or replace function reward_open_sources(sales json, held_at timestamptz) returns void
language plpgsql set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  with recursive written as (
    insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, steps, starts_at, programme_version,
      rank_budget)
    select stream, public_id, label, member_id, principal, percent, amount, bounty, steps, starts_at, programme_version, rank_budget
    from json_populate_recordset(null::reward_source, sales)
    returning id, stream, public_id, member_id, principal, steps, programme_version, starts_at, ends_at
  ), sold as materialized (
    select s.id, s.public_id, s.member_id, s.principal, s.programme_version, s.stream = 2 as is_nft,
      case s.stream when 2 then reward_step(true, s.starts_at, 1) else s.ends_at end as release_at,
      case s.stream when 0 then p.level_percents when 1 then p.stake_log_level_percents else p.nft_level_percents end as percents,
      case s.stream when 2 then 1 else least(s.steps, p.full_level_share_days) end as days, case s.stream when 2 then 1 else p.full_level_share_days end as full_days
    from written s join reward_programme p on p.version = s.programme_version
  ), line as (
    select distinct member_id as below, member_id as place, 0 as level from sold
    union all
    select line.below, t.sponsor_id, line.level + 1 from line
    -- Looks up one row at a time: for some hundred members a join would read the whole table.
    cross join lateral (select sponsor_id from team_member where member_id = line.place limit 1) t
    where t.sponsor_id is not null and line.level < 5
  ), held as (
    insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
      amount, asset, programme_version, status, created_at, release_at)
    select case when s.is_nft then 'nft-level' else 'level' end, line.place, s.member_id, 'source', s.id, s.public_id, s.principal, line.level,
      s.principal, s.percents[line.level], share.amount, case when s.is_nft then 'USD' else 'COIN' end, s.programme_version, 'held', held_at, s.release_at
    from sold s join line on line.below = s.member_id and line.level > 0
    cross join lateral (select is_verified and is_active as ok from member where id = line.place limit 1) earns
    cross join lateral (select div(s.principal::numeric * s.percents[line.level] * s.days, 10000000000::numeric * s.full_days)::bigint as amount) share
    where earns.ok and share.amount > 0 order by s.id, line.level
    returning kind, amount, release_at as due_at
  )
  insert into reward_liability_pending (kind, step, starts_at, steps, amount)
  select kind, 'day', due_at - interval '24 hours', 1, sum(amount)::bigint from held group by kind, due_at;
end $$;

-- Returns the ancestors of the given members who may get a rank bonus, lowest in the tree first. They are verified and active, and have a
-- team total of at least `lowest`. Reads each leader once for all stakes below. Planned once per connection, with indexes.
create or replace function reward_rank_leaders(members bigint[], lowest bigint)
returns table ("leaderId" bigint, counted bigint, below bigint[]) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query with recursive line as (
    select t.sponsor_id as id from unnest(members) b (id) join team_member t on t.member_id = b.id where t.sponsor_id is not null
    union
    select t.sponsor_id from line join team_member t on t.member_id = line.id where t.sponsor_id is not null
  ), leader as materialized (
    select line.id, s.counted from line join team_rank_stake s on s.member_id = line.id where s.running >= lowest and s.counted >= lowest
  )
  select l.id, l.counted, array(select distinct b.id from unnest(members) b (id) where b.id <> l.id and team_is_within(l.id, b.id))
  from leader l join team_member t on t.member_id = l.id join member m on m.id = l.id and m.is_verified and m.is_active
  order by t.depth desc, l.id;
end $$;

-- Returns the pending referral rewards that returned coin reduces, newest purchase first: `given` is the member's returned coin, and
-- `before` the part that newer purchases use. Reads only as many rows as the coin covers. Sorts are disabled, because PostgreSQL would
-- otherwise sort all rewards of a member as soon as statistics exist.
create or replace function reward_newest_held(members bigint[], coins bigint[], at timestamptz)
returns table (id bigint, given bigint, before bigint) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  place int;
  found record;
  taken bigint;
begin
  for place in 1 .. cardinality(members) loop
    taken := 0;
    for found in select r.id, r.base - r.base_returned as rest from reward_instant r
      where r.source_member_id = members[place] and r.kind = 'referral' and r.status = 'held' and r.release_at > at
      order by r.id desc
    loop
      exit when taken >= coins[place];
      id := found.id;
      given := coins[place];
      before := taken;
      return next;
      taken := taken + found.rest;
    end loop;
  end loop;
end $$;

-- Reverses pending referral rewards in proportion to the returned coin, rounded up (invariant I19), newest purchase first.
-- If `purchase` is given, reverses only this purchase's remaining reward. Also reduces the liabilities. Planned once per connection.
create or replace function reward_reverse_referrals(members bigint[], coins bigint[], at timestamptz, purchase bigint)
returns table (id bigint, "memberId" bigint, "beneficiaryId" bigint, coin bigint, "baseBefore" bigint, base bigint, "newMoney" bigint, back bigint,
  amount bigint, "createdAt" timestamptz, in_counters boolean, fell boolean)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  ids bigint[];
  givens bigint[];
  befores bigint[];
begin
  if purchase is null then
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from reward_newest_held(members, coins, at) l;
  else
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from (
      select r.id, g.coin as given, (sum(r.base - r.base_returned) over (partition by g.id order by r.id desc) - (r.base - r.base_returned))::bigint as before
      from unnest(members, coins) g (id, coin) join reward_instant r on r.source_member_id = g.id
      where r.kind = 'referral' and r.status = 'held' and r.cause_type = 'coin_purchase' and r.cause_id = purchase) l;
  end if;
  if ids is null then return; end if;
  return query with held as (
    select i.id, i.reversed, i.base_returned, least(i.base - i.base_returned, l.given - l.before)::bigint as coin
    from unnest(ids, givens, befores) l (id, given, before) join reward_instant i on i.id = l.id
    where l.before < l.given and i.status = 'held' order by i.id desc for update of i
  ), changed as (
    update reward_instant i set base_returned = i.base_returned + t.coin,
      reversed = ceil(i.amount::numeric * (i.base_returned + t.coin) / i.base)::bigint,
      status = case when ceil(i.amount::numeric * (i.base_returned + t.coin) / i.base) >= i.amount then 'reversed' else 'held' end
    from held t where i.id = t.id and t.coin > 0
    returning i.id, i.source_member_id, i.beneficiary_id, t.coin, t.base_returned, i.base, i.new_money, i.reversed - t.reversed as back, i.amount,
      i.created_at, i.in_counters, i.release_at, i.is_liability, i.status = 'reversed' as fell
  ), forecast as (
    insert into reward_liability_pending (kind, step, starts_at, steps, amount)
    select 'referral', 'day', min(c.release_at) - interval '1 day', 1, -sum(c.back)::bigint from changed c where c.is_liability and c.back > 0
    group by (c.release_at at time zone 'UTC')::date
  )
  select c.id, c.source_member_id, c.beneficiary_id, c.coin, c.base_returned, c.base, coalesce(c.new_money, 0), c.back, c.amount, c.created_at, c.in_counters,
    c.fell from changed c order by c.id desc;
end $$;

-- Restores pending referral rewards that a bridge has reversed, and the liabilities. Skips rewards that were paid or cancelled since.
create or replace function reward_restore_sent_coin(payout bigint)
returns table ("beneficiaryId" bigint, back bigint, amount bigint, "createdAt" timestamptz, in_counters boolean, fell boolean) language plpgsql as $$
#variable_conflict use_column
begin
  return query with sent as (
    delete from reward_sent_coin s where s.payout_id = payout returning s.reward_id, s.coin
  ), held as (
    select i.id, i.reversed, i.status = 'reversed' as fell, s.coin, m.is_verified and m.is_active as earns
    from sent s join reward_instant i on i.id = s.reward_id join member m on m.id = i.beneficiary_id
    where i.status in ('held', 'reversed') and i.cancel_reason is null order by i.id for update of i
  ), changed as (
    update reward_instant i set base_returned = i.base_returned - h.coin, status = 'held', is_liability = h.earns,
      reversed = ceil(i.amount::numeric * (i.base_returned - h.coin) / i.base)::bigint
    from held h where i.id = h.id
    returning i.id, i.beneficiary_id, h.reversed - i.reversed as back, i.amount, i.created_at, i.in_counters, h.fell, i.release_at, i.is_liability
  ), forecast as (
    insert into reward_liability_pending (kind, step, starts_at, steps, amount)
    select 'referral', 'day', min(c.release_at) - interval '1 day', 1, sum(c.back)::bigint from changed c where c.is_liability and c.back > 0
    group by (c.release_at at time zone 'UTC')::date
  )
  select c.beneficiary_id, c.back, c.amount, c.created_at, c.in_counters, c.fell from changed c;
end $$;

-- Returns the members' sponsors who earn: verified and not blocked. Planned once per connection, by index.
create or replace function reward_sponsors(members bigint[]) returns table (id bigint, "sponsorId" bigint) language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select b.id, s.id from unnest(members) b (id)
  -- Looks up one row at a time: for some hundred members a join would read the whole table.
  cross join lateral (select sponsor_id from team_member where member_id = b.id limit 1) t
  cross join lateral (select m.id from member m where m.id = t.sponsor_id and m.is_verified and m.is_active limit 1) s;
end $$;

-- Records purchases without a referral reward in the list of the buyer's sponsor (reward_instant rows as JSON).
create or replace function reward_record_unearned(purchases json) returns void
language plpgsql set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
    amount, asset, programme_version, status, unearned_reason, created_at, release_at)
  select 'referral', t.sponsor_id, p.source_member_id, 'coin_purchase', p.cause_id, p.cause_public_id, p.cause_amount, 1, 0, p.percent,
    0, 'COIN', p.programme_version, 'unearned', p.unearned_reason, p.created_at, p.created_at
  from json_populate_recordset(null::reward_instant, purchases) p
  cross join lateral (select sponsor_id from team_member where member_id = p.source_member_id limit 1) t
  where t.sponsor_id is not null on conflict do nothing;
end $$;

-- Returns each member's owed rewards by asset, in units. The total equals `owed` of reward_coverage().
create or replace function reward_unpaid_by_member() returns table (member_id bigint, usd bigint, coin bigint) language sql stable as $$
  select u.member_id, coalesce(sum(u.amount) filter (where u.asset = 'USD'), 0)::bigint, coalesce(sum(u.amount) filter (where u.asset = 'COIN'), 0)::bigint
  from (
    select c.member_id, case c.stream when 2 then 'USD' else 'COIN' end as asset, c.amount
    from reward_payment p join reward_credit c on c.run_id = p.run_id and c.stream = p.stream
    where p.paid < p.total and c.amount > 0 and (c.sponsor_id, c.member_id) > (p.cursor_sponsor, p.cursor_member)
    union all
    -- Credits in claims that are not paid yet.
    select c.member_id, case c.stream when 2 then 'USD' else 'COIN' end, c.amount
    from reward_payment_claim t join reward_credit c on c.run_id = t.run_id and c.stream = t.stream
    where c.amount > 0 and (c.sponsor_id, c.member_id) > (t.after_sponsor, t.after_member)
      and (c.sponsor_id, c.member_id) <= (t.last_sponsor, t.last_member)
    union all
    select i.beneficiary_id, i.asset, i.amount - i.reversed from reward_instant i where i.status = 'owed'
  ) u group by u.member_id
$$;

-- Returns each member's liabilities by asset, in units: future steps, bounties on future steps in the five levels below with the
-- present team, and pending rewards. Bounties of uplines who do not earn are not included, so that the total can be below `promised`
-- of reward_coverage(). While a run records accruals, the two totals are not comparable.
create or replace function reward_liability_by_member() returns table (member_id bigint, usd bigint, coin bigint) language sql stable as $$
  with rate as (
    select version, v.stream, v.b from reward_programme
    cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), open as materialized (
    select s.member_id, s.stream = 2 as in_usd, sum(s.amount::numeric * (s.steps - s.processed)) as own,
      sum(reward_share(s.amount, r.b[1])::numeric * (s.steps - s.processed)) as b1, sum(reward_share(s.amount, r.b[2])::numeric * (s.steps - s.processed)) as b2,
      sum(reward_share(s.amount, r.b[3])::numeric * (s.steps - s.processed)) as b3, sum(reward_share(s.amount, r.b[4])::numeric * (s.steps - s.processed)) as b4,
      sum(reward_share(s.amount, r.b[5])::numeric * (s.steps - s.processed)) as b5
    from reward_source s join rate r on r.version = s.programme_version and r.stream = s.stream
    where s.reversed_at is null and s.processed < s.steps group by 1, 2
  ), level_1 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b1) as b, sum(b2) as b2, sum(b3) as b3, sum(b4) as b4, sum(b5) as b5
    from open o join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_2 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b2) as b, sum(b3) as b3, sum(b4) as b4, sum(b5) as b5
    from level_1 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_3 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b3) as b, sum(b4) as b4, sum(b5) as b5
    from level_2 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_4 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b4) as b, sum(b5) as b5
    from level_3 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_5 as (
    select t.sponsor_id as member_id, in_usd, sum(b5) as b
    from level_4 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), bounty as (
    select b.member_id, b.in_usd, b.b from (
      select member_id, in_usd, b from level_1 union all select member_id, in_usd, b from level_2 union all select member_id, in_usd, b from level_3
      union all select member_id, in_usd, b from level_4 union all select member_id, in_usd, b from level_5
    ) b join member m on m.id = b.member_id and m.is_verified and m.is_active
  )
  select p.member_id, coalesce(sum(p.amount) filter (where p.in_usd), 0)::bigint, coalesce(sum(p.amount) filter (where not p.in_usd), 0)::bigint
  from (
    select o.member_id, o.in_usd, o.own as amount from open o
    union all select b.member_id, b.in_usd, b.b from bounty b
    union all select i.beneficiary_id, i.asset = 'USD', i.amount - i.reversed from reward_instant i where i.status = 'held' and i.is_liability
    union all select f.member_id, false, f.filled from reward_rank_bonus f where f.completed_at is null
  ) p group by p.member_id having sum(p.amount) > 0
$$;
