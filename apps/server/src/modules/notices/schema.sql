-- What calls note with their cause. Without a key, an index or a reference, as most of it is USD between members and each
-- send writes a row; the next sweep takes all of it in.
create table notice_news (
  member_id bigint not null,
  event text not null,
  cause text not null,
  said text not null,
  created_at timestamptz not null
);

-- What a member is to be told by mail; one mail gathers what waits.
create table notice (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  event text not null,
  -- What it is about: at most one notice each.
  cause text not null,
  said text not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  unique (event, cause)
);
create index notice_waiting on notice (member_id, id) where mailed_at is null;
create index notice_by_mail on notice (member_id, mailed_at) where mailed_at is not null;
create index notice_by_age on notice (mailed_at);

-- Mails that a member switched off.
create table notice_off (
  member_id bigint not null references member (id),
  event text not null check (event in ('deposit', 'received', 'stake-ended', 'support-answer')),
  since timestamptz not null,
  primary key (member_id, event)
);
