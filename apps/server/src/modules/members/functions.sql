create or replace function keep_sponsor() returns trigger language plpgsql as $$
begin
  raise exception 'a sponsor is fixed at registration' using errcode = 'restrict_violation';
end $$;

-- A registration counts from its proof of the address on: before that it is nothing (RW-12).
create or replace function count_referral() returns trigger language plpgsql as $$
begin
  insert into member_referrals as held (member_id, direct_count) values (new.sponsor_id, new.is_verified::int * 2 - 1)
  on conflict (member_id) do update set direct_count = held.direct_count + excluded.direct_count;
  return null;
end $$;

-- The hash of an audit row (invariant I17): over its fields and the hash of the row before it.
create or replace function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, outcome text, ip text, request_id text, detail jsonb
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type,
    subject_id, reason, outcome, ip, request_id, detail)::text, 'UTF8')), 'hex')
$$;
