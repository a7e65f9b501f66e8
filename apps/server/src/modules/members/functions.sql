create or replace function reject_sponsor_change() returns trigger language plpgsql as $$
begin
  raise exception 'a sponsor is fixed at registration' using errcode = 'restrict_violation';
end $$;

-- Counts a referral once the referred member's email address is verified (RW-12).
create or replace function count_referral() returns trigger language plpgsql as $$
begin
  insert into member_referrals as existing (member_id, direct_count) values (new.sponsor_id, new.is_verified::int * 2 - 1)
  on conflict (member_id) do update set direct_count = existing.direct_count + excluded.direct_count;
  return null;
end $$;

-- Inserts members of another platform with their ids, referral codes and join dates, in order of id. Triggers place them in the team.
create or replace function add_imported_members(members json, at timestamptz) returns void language sql as $$
  insert into member (id, public_id, name, email, phone, password_hash, is_verified, is_active, is_special_rcm, rank, rank_by_staff,
    referral_code, sponsor_id, created_at, updated_at)
  overriding system value
  select id, public_id, name, email, phone, password_hash, is_verified, is_active, is_special_rcm, rank, rank is not null,
    referral_code, sponsor_id, created_at, at
  from json_populate_recordset(null::member, members) order by id
$$;

-- Sets the time at which a member first proved the address.
create or replace function set_verified_at() returns trigger language plpgsql as $$
begin
  new.verified_at := new.updated_at;
  return new;
end $$;
