-- Queues the comparison of a member's name with the active list. The insert locks screening_task even if it adds no row. A list comes into
-- force only when no transaction holds this lock (activateScreeningList).
create or replace function queue_name_screening() returns trigger language plpgsql as $$
begin
  insert into screening_task (member_id, cause) select new.id, 'name' where exists (select from screening_list where status = 'ACTIVE');
  return null;
end $$;

-- Queues the comparison of a new address of a member with the active list.
create or replace function queue_address_screening() returns trigger language plpgsql as $$
begin
  insert into screening_task (member_id, cause, address)
    select new.member_id, 'address', new.address where exists (select from screening_list where status = 'ACTIVE');
  return null;
end $$;

-- Queues the comparison of the addresses of new payouts (`fresh`) with the active list, once for each statement. A transfer has no payout
-- address.
create or replace function queue_payout_screening() returns trigger language plpgsql as $$
begin
  insert into screening_task (member_id, cause, address)
    select member_id, 'payout', address from fresh where kind <> 'transfer' and exists (select from screening_list where status = 'ACTIVE');
  return null;
end $$;

-- Returns those of the members who have a match that nobody has cleared.
create or replace function screening_matches(members bigint[]) returns setof bigint language sql stable as $$
  select h.member_id from screening_hit h where h.member_id = any(members) and h.verdict is distinct from 'different'
$$;

-- Returns true for a match that nobody has cleared: one index look-up.
create or replace function is_screening_match(member bigint) returns boolean language sql stable as $$
  select exists (select from screening_matches(array[member]))
$$;

-- Returns why a member is paid nothing: `hit` for a match that nobody has cleared, `pending` before the end of a comparison; otherwise null.
create or replace function screening_hold(member bigint) returns text language sql stable as $$
  select case
    when is_screening_match(member) then 'hit'
    when exists (select from screening_task t where t.member_id = member)
      or exists (select from screening_list l where l.status = 'ACTIVE' and l.member_cursor < member) then 'pending'
  end
$$;
