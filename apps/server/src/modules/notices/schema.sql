-- Events recorded with their cause. Without a key, an index or a reference, because every USD transfer between members
-- writes a row. The next job ingests all of them.
create table notification_event (
  member_id bigint not null,
  event text not null,
  cause text not null,
  said text not null,
  created_at timestamptz not null
);

-- A notification to be mailed. One mail gathers all waiting ones.
create table notice (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  event text not null,
  -- Its cause: at most one notification each.
  cause text not null,
  said text not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  unique (event, cause)
);
create index notice_waiting on notice (member_id, id) where mailed_at is null;
create index notice_by_mail on notice (member_id, mailed_at) where mailed_at is not null;
create index notice_by_age on notice (mailed_at);

-- Mails switched off by a member.
create table notification_opt_out (
  member_id bigint not null references member (id),
  event text not null check (event in ('deposit', 'received', 'stake-ended', 'support-answer')),
  since timestamptz not null,
  primary key (member_id, event)
);
