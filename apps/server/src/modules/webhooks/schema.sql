-- Receivers of webhooks, each approved by two admins.
create table webhook_endpoint (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null check (name <> ''),
  url text not null,
  -- Kinds of events that it gets; empty: all.
  kinds text[] not null,
  state text not null check (state in ('ON', 'OFF', 'ENDED')),
  off_reason text check ((off_reason is null) = (state = 'ON')),
  -- Encrypted, bound to the URL: an address that was changed by SQL has no secret.
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
  -- Last event that has a delivery where its kind is wanted.
  last_event_id bigint not null,
  failing_since timestamptz,
  -- Status or error of the last attempt that was not accepted.
  fault text,
  -- Consecutive attempts without a response, and the time before which no further one is made.
  failures int not null default 0,
  rests_until timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index webhook_endpoint_by_end on webhook_endpoint ((case when state = 'ENDED' then changed_at end));

-- One event for one endpoint, with the response to the last attempt.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoint (id),
  event_id uuid not null,
  kind text not null,
  subject text not null,
  body text not null check (octet_length(body) <= 20000),
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts int not null default 0,
  -- Null for a pending delivery: an earlier event of the same object is pending.
  next_attempt_at timestamptz check (next_attempt_at is null or state = 'PENDING'),
  created_at timestamptz not null,
  attempted_at timestamptz,
  status int,
  answer text,
  duration_ms int,
  error text,
  unique (endpoint_id, event_id)
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at, id) where state = 'PENDING' and next_attempt_at is not null;
create index webhook_delivery_of_object on webhook_delivery (endpoint_id, subject, id) where state = 'PENDING';
create index webhook_delivery_by_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_by_age on webhook_delivery (created_at);
