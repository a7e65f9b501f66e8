-- Answers of money calls by idempotency key (invariant I5). A row exists only together with its effect.
create table idempotency (
  member_id bigint not null,
  operation text not null,
  key text not null,
  request_digest text not null,
  status int not null,
  answer text not null,
  created_at timestamptz not null,
  primary key (member_id, operation, key)
);
create index idempotency_by_age on idempotency (created_at);

-- Counters of request limits (API-17): one row per key and window.
create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  hits int not null
);

-- What happened, who did it, from where, and how it ended (invariant I17). Append-only; each row carries the hash of
-- the one before it.
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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_event_append_only before update or delete on audit_event for each row execute function refuse_change();
create trigger audit_event_no_truncate before truncate on audit_event for each statement execute function refuse_change();

-- One row per recurring sweep of the worker: who runs it until when, and how the last run ended.
create table job_lease (
  name text primary key,
  holder text,
  token bigint not null default 0,
  held_until timestamptz,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text
);
