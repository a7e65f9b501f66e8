-- Audit log: event, actor, origin and outcome (invariant I17). Append-only; each row carries the previous row's hash. Only address, reason
-- and detail can be erased.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint,
  actor_role text not null,
  action text not null,
  subject_type text,
  subject_id text,
  reason text,
  outcome text not null,
  ip text,
  request_id text,
  detail jsonb not null default '{}',
  previous_hash text not null,
  hash text not null,
  -- Salts of the values that can be erased, or their digests after that (`audit_digest`). Null for no value.
  ip_salt bytea,
  reason_salt bytea,
  detail_salt bytea
);
create index audit_event_by_subject on audit_event (subject_type, subject_id, id);
create index audit_event_by_actor on audit_event (actor_id, id);
create index audit_event_by_time on audit_event using brin (at) with (autosummarize = on, pages_per_range = 16);
-- Operator money moved by staff.
create index audit_event_of_money on audit_event (action, id) where action in ('rewards.credit-rcm', 'rewards.fund-pool');
-- Stops of all payouts by members.
create index audit_event_of_stop on audit_event (actor_id, id) where action = 'payout.stop';
-- Restores from a backup.
create index audit_event_of_restore on audit_event (id) where action = 'platform.restore';
-- Rows with erased values.
create index audit_event_erased on audit_event (id)
  where octet_length(ip_salt) = 32 or octet_length(reason_salt) = 32 or octet_length(detail_salt) = 32;
create trigger audit_event_append_only before delete or update of id, at, actor_id, actor_role, action, subject_type, subject_id, outcome,
  request_id, previous_hash, hash on audit_event for each row execute function reject_change();
create trigger audit_event_values_stay before update of ip, ip_salt, reason, reason_salt, detail, detail_salt on audit_event
  for each row execute function keep_audit_values();
create trigger audit_event_no_truncate before truncate on audit_event for each statement execute function reject_change();

-- Access journal: every end of access, also copied to a file outside the database (docs/decisions/0040-access-journal.md). A trigger
-- adds the row in the transaction that ends the access. The worker numbers the rows and copies them to the file. `mark` is unique,
-- because two copies of the database can use one number. The mark of the first row (kind `begin`) identifies the database.
create table access_journal (
  id bigint generated always as identity primary key,
  line bigint unique check (line > 0),
  mark uuid not null unique default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('begin', 'role', 'active', 'suspension', 'password', 'email', 'passkey', 'second-factor', 'recovery-code', 'address', 'payout-stop', 'erased', 'restore')),
  -- Public id of the member, passkey, recovery code or address, and the new value.
  subject text not null,
  value text not null
);
create index access_journal_unnumbered on access_journal (id) where line is null;
create unique index access_journal_begins_once on access_journal (kind) where kind = 'begin';
create trigger access_journal_append_only before delete or update of id, mark, at, kind, subject, value on access_journal
  for each row execute function reject_change();
create trigger access_journal_number_stays before update of line on access_journal
  for each row when (old.line is not null) execute function reject_change();
create trigger member_access_ended after update of role, is_active, suspended_until, password_changed_at, payouts_stopped_at, email, erased_at on member
  for each row when (old.erased_at is null and new.erased_at is not null or old.role <> new.role or old.is_active <> new.is_active or old.suspended_until is distinct from new.suspended_until
    or old.password_changed_at is distinct from new.password_changed_at or old.payouts_stopped_at is distinct from new.payouts_stopped_at
    or old.email <> new.email and new.is_verified)
  execute function record_member_access();
