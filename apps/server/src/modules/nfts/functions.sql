-- The NFTs as they are at a moment: by the newest of their planned figures that has begun, else by their own.
create or replace function nfts_at(at timestamptz) returns table (id bigint, public_id text, kind text, name text, title text, price bigint,
  duration_months int, total_percent bigint, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.kind, p.kind), coalesce(n.name, p.name), coalesce(n.title, p.title), coalesce(n.price, p.price),
    coalesce(n.duration_months, p.duration_months), coalesce(n.total_percent, p.total_percent), coalesce(n.status, p.status), p.created_at, p.starts_at
  from nft p
  left join lateral (select * from nft_next n where n.nft_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;
