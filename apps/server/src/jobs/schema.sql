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

-- How the last run of a command ended that somebody has to run now and then (audit, backup).
create table command_run (
  name text primary key,
  finished_at timestamptz not null,
  good boolean not null,
  detail text not null
);
