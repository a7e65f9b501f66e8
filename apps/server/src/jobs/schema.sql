-- Other modules may read this table, because monitoring, alerts and the doctor check the last runs.
-- published: command_last_run

-- One row per recurring job: the worker that holds the lease, the end of the lease, and the result of the last run.
create table job_lease (
  name text primary key,
  holder text,
  -- Grows with each holder. A transaction with an older token fails.
  fencing_token bigint not null default 0,
  held_until timestamptz,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  -- Time of the first consecutive failure, and the number of consecutive failures.
  failing_since timestamptz,
  failures int not null default 0
);

-- The last run of each command that operators run regularly (audit, backup).
create table command_last_run (
  name text primary key,
  finished_at timestamptz not null,
  succeeded boolean not null,
  detail text not null
);

-- Background jobs started by a person. The worker executes a job in steps. One transaction contains a step and its progress, so
-- that a restart neither repeats nor loses a step.
create table background_job (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null,
  owner_id bigint not null,
  input jsonb not null,
  -- MAC over the job and its input. The key is not in the database. The worker runs no job that SQL inserted or changed.
  input_mac bytea not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED')),
  -- State for the next step, in a format of the job's kind.
  checkpoint jsonb,
  done bigint not null default 0,
  total bigint not null default 0,
  -- Attempts of the current step.
  attempts int not null default 0,
  result jsonb,
  error text,
  file_name text,
  file_type text,
  parts int not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((state in ('DONE', 'FAILED')) = (finished_at is not null))
);
create index background_job_open on background_job (id) where finished_at is null;
create index background_job_by_owner on background_job (owner_id, id);
create index background_job_finished on background_job (finished_at);
-- File parts that a job has written so far, in order.
create table background_job_part (
  job_id bigint not null references background_job (id) on delete cascade,
  number int not null,
  content bytea not null,
  primary key (job_id, number)
);
alter table background_job_part alter column content set storage external;
