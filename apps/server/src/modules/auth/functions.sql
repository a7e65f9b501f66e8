-- Sessions with whose they are, as every call asks for them: planned anew each time it would cost more to plan than to read.
-- By index always: a kept plan outlives the day on which its tables were small.
create or replace function sessions_by_id(ids bigint[]) returns table ("sessionId" bigint, "endedAt" timestamptz, "endReason" text,
  "lastSeenAt" timestamptz, "idleSeconds" int, "expiresAt" timestamptz, "memberId" bigint, "publicId" text, email text, "isVerified" boolean,
  "isActive" boolean, role text, "isSpecialRcm" boolean, "provedFactor" boolean) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select s.id, s.ended_at, s.end_reason, s.last_seen_at, s.idle_seconds, s.expires_at, m.id, m.public_id, m.email,
    m.is_verified and (m.password_proved or s.address_proved), m.is_active, m.role, m.is_special_rcm,
    m.second_factor and s.second_factor_at is not null
  from session s join member m on m.id = s.member_id where s.id = any (ids);
end $$;
