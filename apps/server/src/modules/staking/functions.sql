-- Returns the plans with the terms in force at a time: the latest planned terms that have started, otherwise the original terms.
create or replace function stake_plans_at(at timestamptz) returns table (id bigint, public_id text, name text, duration_days int, minimum bigint,
  apy bigint, is_omega boolean, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.name, p.name), coalesce(n.duration_days, p.duration_days), coalesce(n.minimum, p.minimum),
    coalesce(n.apy, p.apy), coalesce(n.is_omega, p.is_omega), coalesce(n.status, p.status), p.created_at, p.starts_at
  from stake_plan p
  left join lateral (select * from stake_plan_next n where n.plan_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;

-- Returns plans for a sale at a time, and locks the rows until commit, in order of id to prevent deadlocks.
-- A separate statement reads the planned terms after the locks, so that it sees the latest terms. Both statements are planned once
-- per connection and use indexes.
create or replace function stake_plans_for_sale(ids text[], at timestamptz) returns table (id bigint, public_id text, name text,
  duration_days int, minimum bigint, apy bigint, is_omega boolean, status text, created_at timestamptz, starts_at timestamptz) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from stake_plan p where p.public_id = any (ids) order by p.id for share;
  return query select p.* from stake_plans_at(at) p where p.public_id = any (ids);
end $$;
