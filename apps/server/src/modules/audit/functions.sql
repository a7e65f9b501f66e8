-- Returns the hash of an audit row (invariant I17), over the row's columns and the previous row's hash.
create or replace function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, outcome text, ip text, request_id text, detail jsonb
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type,
    subject_id, reason, outcome, ip, request_id, detail)::text, 'UTF8')), 'hex')
$$;

-- Returns a time as text that is the same in every database, whatever the session's time zone.
create or replace function journal_time(at timestamptz) returns text language sql stable as $$
  select coalesce(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '')
$$;

-- Records a member's new role, block, suspension, changed password or changed address in the access journal.
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
  if old.email <> new.email and new.is_verified then
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
