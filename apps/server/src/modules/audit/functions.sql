-- Returns the digest of an erasable value of an audit row; null for no value. The salt has 16 random bytes. After the erasure there is no
-- value, and the digest (32 bytes) is in place of the salt. Other combinations were not written by the server and match no hash.
create or replace function audit_digest(salt bytea, value text) returns bytea language sql stable as $$
  select case
    when salt is null and value is null then null
    when octet_length(salt) = 16 and value is not null then sha256(salt || convert_to(value, 'UTF8'))
    when octet_length(salt) = 32 and value is null then salt
    else ''::bytea end
$$;

-- Returns a new salt for an erasable value; null for no value.
create or replace function audit_salt(value text) returns bytea language sql volatile as $$
  select case when value is not null then uuid_send(gen_random_uuid()) end
$$;

-- Returns the hash of an audit row (invariant I17), over the row's columns and the previous row's hash. Of the erasable values it covers
-- the digests, so that erasing a person's values changes no hash (docs/decisions/0064-erasing-personal-data.md).
create or replace function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, reason_salt bytea, outcome text, ip text, ip_salt bytea, request_id text, detail jsonb, detail_salt bytea
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type, subject_id,
    audit_digest(reason_salt, reason), outcome, audit_digest(ip_salt, ip), request_id, audit_digest(detail_salt, nullif(detail::text, '{}')))::text,
    'UTF8')), 'hex')
$$;

-- Rejects a change of erasable values, unless each one stays or is replaced by its digest.
create or replace function keep_audit_values() returns trigger language plpgsql as $$
begin
  if (new.ip, new.ip_salt) is not distinct from (old.ip, old.ip_salt)
      or new.ip is null and new.ip_salt = audit_digest(old.ip_salt, old.ip) then
    if (new.reason, new.reason_salt) is not distinct from (old.reason, old.reason_salt)
        or new.reason is null and new.reason_salt = audit_digest(old.reason_salt, old.reason) then
      if (new.detail, new.detail_salt) is not distinct from (old.detail, old.detail_salt)
          or new.detail = '{}' and new.detail_salt = audit_digest(old.detail_salt, nullif(old.detail::text, '{}')) then
        return new;
      end if;
    end if;
  end if;
  raise exception 'audit_event is append-only' using errcode = 'restrict_violation';
end $$;

-- Returns a time as text that is the same in every database, whatever the session's time zone.
create or replace function journal_time(at timestamptz) returns text language sql stable as $$
  select coalesce(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '')
$$;

-- Records a member's new role, block, suspension, payout stop, changed password or changed address in the access journal.
create or replace function record_member_access() returns trigger language plpgsql as $$
begin
  if old.role <> new.role then
    insert into access_journal (kind, subject, value) values ('role', new.public_id, new.role);
  end if;
  if old.is_active <> new.is_active then
    insert into access_journal (kind, subject, value) values ('active', new.public_id, new.is_active::text);
  end if;
  if old.suspended_until is distinct from new.suspended_until then
    insert into access_journal (kind, subject, value) values ('suspension', new.public_id, journal_time(new.suspended_until));
  end if;
  if old.password_changed_at is distinct from new.password_changed_at then
    insert into access_journal (kind, subject, value) values ('password', new.public_id, '');
  end if;
  if old.payouts_stopped_at is distinct from new.payouts_stopped_at then
    insert into access_journal (kind, subject, value) values ('payout-stop', new.public_id, journal_time(new.payouts_stopped_at));
  end if;
  if new.erased_at is not null then
    insert into access_journal (kind, subject, value) values ('erased', new.public_id, '');
  elsif old.email <> new.email and new.is_verified then
    insert into access_journal (kind, subject, value) values ('email', new.public_id, '');
  end if;
  return null;
end $$;

-- Records in the access journal, by public id, that a passkey, recovery code or payout address ended. The argument is the kind.
create or replace function record_ended_access() returns trigger language plpgsql as $$
begin
  insert into access_journal (kind, subject, value) values (tg_argv[0], old.public_id, '');
  return null;
end $$;

-- Records in the access journal that an authenticator app was removed, by member and time of setup.
create or replace function record_ended_factor() returns trigger language plpgsql as $$
begin
  insert into access_journal (kind, subject, value)
  select 'second-factor', m.public_id, journal_time(old.created_at) from member m where m.id = old.member_id;
  return null;
end $$;
