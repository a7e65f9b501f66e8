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
