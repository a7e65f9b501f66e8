-- Returns sessions with their members, and the version of the terms of use that a member has to accept. Every call with a session runs
-- it. The plan is generic, because planning would cost more than the read. Sequential scans are off, because the plan may date from a
-- time when the tables were small.
create or replace function sessions_by_id(ids bigint[], moment timestamptz) returns table ("sessionId" bigint, "endedAt" timestamptz, "endReason" text,
  "lastSeenAt" timestamptz, "idleSeconds" int, "expiresAt" timestamptz, "memberId" bigint, "publicId" text, email text, "isVerified" boolean,
  "isActive" boolean, role text, "isSpecialRcm" boolean, "provedFactor" boolean,
  "suspendedUntil" timestamptz, "termsDue" int) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select s.id, s.ended_at, s.end_reason, s.last_seen_at, s.idle_seconds, s.expires_at, m.id, m.public_id, m.email,
    m.is_verified and (s.address_proved or m.password_proved and not s.awaits_code), m.is_active, m.role, m.is_special_rcm,
    m.second_factor and s.second_factor_at is not null, m.suspended_until,
    (select t.version from (select version from terms_of_use where starts_at <= moment order by starts_at desc, version desc limit 1) t
      where m.role = 'MEMBER' and not exists (
        select from terms_of_use_acceptance a where a.member_id = m.id and a.version = t.version))
  from session s join member m on m.id = s.member_id where s.id = any (ids);
end $$;
