-- People with an account, staff included. `sponsor_id` is fixed at registration (invariant I11): nothing updates it.
create table member (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  email text not null unique check (email = lower(email)),
  phone text not null,
  password_hash text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  role text not null default 'MEMBER' check (role in ('MEMBER', 'SUPPORT', 'ADMIN')),
  is_special_rcm boolean not null default false,
  rank text,
  referral_code text not null unique,
  sponsor_id bigint references member (id) check (sponsor_id < id),
  profile_image text,
  second_factor boolean not null default false,
  -- Set by a reset through a mailed link; rules that hold money back after a recovery look at it.
  password_reset_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index member_by_sponsor on member (sponsor_id, id desc);

-- How many direct referrals each member has, so that a page of a team costs the same for any team.
create table member_referrals (
  member_id bigint primary key references member (id),
  direct_count int not null
);

create function keep_sponsor() returns trigger language plpgsql as $$
begin
  raise exception 'a sponsor is fixed at registration' using errcode = 'restrict_violation';
end $$;
create trigger member_sponsor_fixed before update of sponsor_id on member
  for each row when (old.sponsor_id is distinct from new.sponsor_id) execute function keep_sponsor();

create function count_referral() returns trigger language plpgsql as $$
begin
  insert into member_referrals as held (member_id, direct_count) values (new.sponsor_id, 1)
  on conflict (member_id) do update set direct_count = held.direct_count + 1;
  return null;
end $$;
create trigger member_counted after insert on member
  for each row when (new.sponsor_id is not null) execute function count_referral();

-- The hash of an audit row (invariant I17): over its fields and the hash of the row before it.
create function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, outcome text, ip text, request_id text, detail jsonb
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type,
    subject_id, reason, outcome, ip, request_id, detail)::text, 'UTF8')), 'hex')
$$;
