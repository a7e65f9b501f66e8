-- Members who may have referred themselves: somebody of the five levels above, who earns from them, was seen at the same
-- address, with the same browser, or asked for a payout to the same wallet address. A hint for staff, not a proof. A sweep
-- looks at new sessions and payouts only; a row stays when the sessions behind it are gone.
create table shared_trace (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  upline_id bigint not null references member (id),
  level smallint not null check (level between 1 and 5),
  same_address boolean not null,
  same_device boolean not null,
  same_payout_address boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  unique (member_id, upline_id),
  -- A sponsor exists before those it brings.
  check (upline_id < member_id),
  check (same_address or same_payout_address),
  check (same_address or not same_device)
);
create table shared_trace_progress (
  one boolean primary key default true check (one),
  session_id bigint not null default 0,
  payout_id bigint not null default 0
);
insert into shared_trace_progress default values;
create index session_by_address on session (ip, member_id);
create index payout_request_by_address on payout_request (lower(address), member_id);
