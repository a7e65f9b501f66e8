-- Responses to money calls by idempotency key (invariant I5). One transaction writes the response and the call's effect.
create table idempotency (
  member_id bigint not null,
  operation text not null,
  key text not null,
  request_digest text not null,
  status int not null,
  answer text not null,
  created_at timestamptz not null,
  -- Headers of a refusal: its code, and the values in its words.
  headers jsonb,
  primary key (member_id, operation, key)
);
create index idempotency_by_age on idempotency (created_at);

-- Counters of request limits (API-17): one row per key and window.
create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  hits int not null
);
create index rate_limit_by_age on rate_limit (window_start);
