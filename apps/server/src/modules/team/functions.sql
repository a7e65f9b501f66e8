create or replace function keep_team_place() returns trigger language plpgsql as $$
begin
  raise exception 'a place in the team is fixed at registration' using errcode = 'restrict_violation';
end $$;

-- Inserts a member into the tree below the sponsor. Does nothing if the tree has the member. A trigger calls this for every new
-- member, so that no account is outside the tree.
create or replace function team_place(person bigint, sponsor bigint) returns void language plpgsql as $$
begin
  insert into team_member (member_id, sponsor_id, depth, jump_id, jump_depth)
  select person, s.member_id, s.depth + 1,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_id else s.member_id end,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_depth else s.depth end
  from team_member s join team_member j on j.member_id = s.jump_id where s.member_id = sponsor
  union all
  select person, null, 0, person, 0 where sponsor is null
  on conflict (member_id) do nothing;
end $$;
create or replace function place_member() returns trigger language plpgsql as $$
begin
  perform team_place(new.id, new.sponsor_id);
  return null;
end $$;

-- Counts a member in the teams above once the email address is verified, because unfinished registrations do not count. Subtracts a
-- member whose address is no longer verified.
create or replace function count_in_team() returns trigger language plpgsql as $$
begin
  insert into team_pending_delta (member_id, month, people)
  values (new.id, date_trunc('month', new.updated_at at time zone 'UTC')::date, new.is_verified::int * 2 - 1);
  return null;
end $$;

-- Returns a member's ancestor at depth `top_depth` (depth 0: members without a sponsor). This is the member itself if the depths are
-- equal, and null if the member is above `top_depth`.
create or replace function team_ancestor(person bigint, top_depth int) returns bigint language plpgsql stable as $$
declare
  here team_member%rowtype;
begin
  select * into here from team_member where member_id = person;
  while here.depth > top_depth loop
    if here.jump_depth >= top_depth then
      select * into here from team_member where member_id = here.jump_id;
    else
      select * into here from team_member where member_id = here.sponsor_id;
    end if;
  end loop;
  return case when here.depth = top_depth then here.member_id end;
end $$;

-- Returns true if `person` is `top` or a member below `top`.
create or replace function team_is_within(top bigint, person bigint) returns boolean language plpgsql stable as $$
begin
  return coalesce(team_ancestor(person, (select depth from team_member where member_id = top)) = top, false);
end $$;

-- Adds changes up the tree, to the ancestors at `top_depth` and below: one row per ancestor and month.
-- `changes` are rows of `team_pending_delta`. The function processes 100 levels at a time and then sums the rows of each ancestor. With
-- one row per change and ancestor, 10,000 registrations one below the other would give 50 million rows. Joins use indexes, because a few
-- rows meet a large table.
create or replace function team_climb(changes json, top_depth int)
returns table (member_id bigint, month date, people bigint, stake bigint, nft bigint, running bigint)
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  levels constant int := 100;
  piece record;
  gain record;
  climbing team_pending_delta[];
  arrived team_pending_delta[] := '{}';
  floor int;
begin
  for piece in
    with own as (
      select (t.depth - 1) / levels as piece, array_agg(c) as changes
      from json_populate_recordset(null::team_pending_delta, changes) c join team_member t on t.member_id = c.member_id where t.depth > top_depth group by 1
    )
    select p.piece, coalesce(own.changes, '{}') as changes
    from generate_series((select max(own.piece) from own), top_depth / levels, -1) p (piece) left join own on own.piece = p.piece
    order by p.piece desc
  loop
    floor := greatest(piece.piece * levels, top_depth);
    -- The changes in these 100 levels, and the sums from the 100 levels below.
    climbing := array_cat(arrived, piece.changes);
    arrived := '{}';
    continue when cardinality(climbing) = 0;
    for gain in
      with recursive up as (
        select t.sponsor_id as member_id, t.depth - 1 as depth, c.month, sum(c.people) as people, sum(c.stake)::bigint as stake,
          sum(c.nft)::bigint as nft, sum(c.running)::bigint as running
        from unnest(climbing) c join team_member t on t.member_id = c.member_id group by c.member_id, t.sponsor_id, t.depth, c.month
        union all
        select t.sponsor_id, t.depth - 1, up.month, up.people, up.stake, up.nft, up.running
        from up join team_member t on t.member_id = up.member_id where up.depth > floor
      )
      select up.member_id, up.depth, up.month, sum(up.people)::bigint as people, sum(up.stake)::bigint as stake, sum(up.nft)::bigint as nft,
        sum(up.running)::bigint as running
      from up group by 1, 2, 3
    loop
      if gain.depth = floor then
        arrived := arrived || row(0, gain.member_id, gain.month, gain.people, gain.stake, gain.nft, gain.running)::team_pending_delta;
      end if;
      member_id := gain.member_id; month := gain.month; people := gain.people; stake := gain.stake; nft := gain.nft; running := gain.running;
      return next;
    end loop;
  end loop;
end $$;

-- Returns the pending changes, summed for each month and each ancestor at `top_depth` and below.
create or replace function team_pending(top_depth int)
returns table (member_id bigint, month date, people bigint, stake bigint, nft bigint, running bigint) language sql stable as $$
  select c.* from team_climb((select json_agg(d) from team_pending_delta d), top_depth) c
$$;

-- Adds the oldest pending changes to the totals of all ancestors.
-- Returns the changed ancestors with a running stake of `report_from` units or more, before or after the change.
create or replace function team_fold(batch int, report_from bigint) returns table (folded int, leader bigint, running bigint)
language sql set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with gone as (
    delete from team_pending_delta d where id in (select id from team_pending_delta order by id limit batch) returning d as change
  ), own as (
    select (gone.change).member_id, sum((gone.change).running)::bigint as running from gone group by 1
  ), gain as materialized (
    select c.* from team_climb((select json_agg(gone.change) from gone), 0) c
  ), totals as (
    insert into team_total as existing (member_id, people, stake, running, own_running, sponsor_id)
    select g.member_id, sum(g.people)::int, sum(g.stake)::bigint, sum(g.running)::bigint, sum(g.own_running)::bigint, t.sponsor_id
    from (
      select gain.member_id, gain.people, gain.stake, gain.running, 0::bigint as own_running from gain
      union all select own.member_id, 0, 0, 0, own.running from own where own.running <> 0
    ) g join team_member t on t.member_id = g.member_id group by g.member_id, t.sponsor_id order by 1
    on conflict (member_id) do update
      set people = existing.people + excluded.people, stake = existing.stake + excluded.stake, running = existing.running + excluded.running,
        own_running = existing.own_running + excluded.own_running
    returning member_id, running
  ), changed as (
    -- Unites the two sets, because a join without statistics would compare every pair.
    select e.member_id, sum(e.running)::bigint as running, sum(e.running - e.more)::bigint as was from (
      select totals.member_id, totals.running, 0::bigint as more from totals
      union all select gain.member_id, 0, gain.running from gain
    ) e group by 1 having sum(e.more) <> 0
  ), months as (
    insert into team_month as existing (member_id, month, stake, nft)
    select gain.member_id, gain.month, gain.stake, gain.nft from gain where gain.stake <> 0 or gain.nft <> 0 order by 1, 2
    on conflict (member_id, month) do update set stake = existing.stake + excluded.stake, nft = existing.nft + excluded.nft
  )
  select (select count(*)::int from gone), changed.member_id, changed.running
  from (select 1) one left join changed on greatest(changed.running, changed.was) >= report_from
$$;
