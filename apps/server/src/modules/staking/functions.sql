-- The plans as they are at a moment: by the newest of their planned figures that has begun, else by their own.
create or replace function stake_plans_at(at timestamptz) returns table (id bigint, public_id text, name text, duration_days int, minimum bigint,
  apy bigint, is_omega boolean, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.name, p.name), coalesce(n.duration_days, p.duration_days), coalesce(n.minimum, p.minimum),
    coalesce(n.apy, p.apy), coalesce(n.is_omega, p.is_omega), coalesce(n.status, p.status), p.created_at, p.starts_at
  from stake_plan p
  left join lateral (select * from stake_plan_next n where n.plan_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;
