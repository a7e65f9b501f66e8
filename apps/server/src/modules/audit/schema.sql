-- Audit log: event, actor, origin and outcome (invariant I17). Append-only; each row carries the previous row's hash.
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
  hash text not null
);
create index audit_event_by_subject on audit_event (subject_type, subject_id, id);
create index audit_event_by_actor on audit_event (actor_id, id);
create index audit_event_by_time on audit_event using brin (at) with (autosummarize = on, pages_per_range = 16);
-- Operator money moved by staff.
create index audit_event_of_money on audit_event (action, id) where action in ('rewards.credit-rcm', 'rewards.fund-pool');
-- Restores from a backup.
create index audit_event_of_restore on audit_event (id) where action = 'platform.restore';
create trigger audit_event_append_only before update or delete on audit_event for each row execute function refuse_change();
create trigger audit_event_no_truncate before truncate on audit_event for each statement execute function refuse_change();
