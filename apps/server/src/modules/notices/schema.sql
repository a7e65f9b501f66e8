-- Events recorded with their cause. Without a key, an index or a reference, because every USD transfer between members
-- writes a row. The next job ingests all of them.
create table notification_event (
  member_id bigint not null,
  event text not null,
  cause text not null,
  -- In units; the other figures of the event are in `facts`.
  amount bigint,
  asset text,
  facts jsonb not null,
  created_at timestamptz not null
);

-- A notification by kind and figures. It is mailed, shown in the inbox, or both. One mail gathers all waiting ones.
create table notice (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  event text not null,
  -- Its cause: at most one notification each.
  cause text not null,
  amount bigint,
  asset text check (asset in ('usd', 'coin')),
  facts jsonb not null,
  created_at timestamptz not null,
  in_inbox boolean not null,
  -- Set at once for a row outside of the inbox.
  read_at timestamptz,
  awaits_mail boolean not null,
  mailed_at timestamptz,
  unique (event, cause),
  check ((amount is null) = (asset is null)),
  check (in_inbox or read_at is not null)
);
create index notice_inbox on notice (member_id, id desc) where in_inbox;
create index notice_unread on notice (member_id, id) where read_at is null;
-- The newest one tells the change stream that a row was read.
create index notice_read on notice (member_id, read_at) where read_at is not null;
create index notice_waiting on notice (member_id, id) where awaits_mail;
create index notice_by_mail on notice (member_id, mailed_at) where mailed_at is not null;
create index notice_by_age on notice (created_at);

-- A member's choice for a kind of event; a missing row means the default (contract `defaultVia`).
create table notification_choice (
  member_id bigint not null references member (id),
  event text not null,
  via text not null check (via in ('both', 'mail', 'inbox')),
  since timestamptz not null,
  primary key (member_id, event),
  -- Security and payouts are always mailed.
  check (via <> 'inbox' or event in ('deposit', 'received', 'reward', 'stake-ended', 'sell-request', 'support-answer'))
);
