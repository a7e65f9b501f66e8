-- Returns the NFTs with the terms in force at a time: the latest planned terms that have started, otherwise the original terms.
create or replace function nfts_at(at timestamptz) returns table (id bigint, public_id text, kind text, name text, title text, price bigint,
  duration_months int, total_percent bigint, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.kind, p.kind), coalesce(n.name, p.name), coalesce(n.title, p.title), coalesce(n.price, p.price),
    coalesce(n.duration_months, p.duration_months), coalesce(n.total_percent, p.total_percent), coalesce(n.status, p.status), p.created_at, p.starts_at
  from nft p
  left join lateral (select * from nft_next n where n.nft_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;

-- Counts sold NFTs per kind, all or none (CO-22 to CO-25). Locks the rows in order of kind, to prevent deadlocks.
create or replace function nft_take_supply(kinds text[], units int[]) returns void language plpgsql as $$
declare
  taken int;
begin
  update nft_supply s set sold = s.sold + held.units from (
    select n.kind, w.units from nft_supply n join unnest(kinds, units) w (kind, units) on w.kind = n.kind order by n.kind for no key update of n
  ) held where s.kind = held.kind and s.sold + held.units <= s.cap;
  get diagnostics taken = row_count;
  if taken < cardinality(kinds) then
    raise exception 'nft_take_supply: sold out' using errcode = 'TZ002';
  end if;
end $$;

-- Returns NFTs for a sale at a time, and locks the rows until commit, in order of id to prevent deadlocks.
-- A separate statement reads the planned terms after the locks, so that it sees the latest terms. Both statements are planned once
-- per connection and use indexes.
create or replace function nfts_for_sale(ids text[], at timestamptz) returns table (id bigint, public_id text, kind text, name text, title text,
  price bigint, duration_months int, total_percent bigint, status text, created_at timestamptz, starts_at timestamptz) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from nft n where n.public_id = any (ids) order by n.id for share;
  return query select n.* from nfts_at(at) n where n.public_id = any (ids);
end $$;
