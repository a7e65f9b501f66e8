-- Other modules may read these tables, because the check of a session finds out whether the member accepted the terms in force.
-- published: terms_of_use, terms_of_use_acceptance

-- Versions of the operator's terms of use (docs/decisions/0072-terms-of-use.md). The row with the latest start is in force.
create table terms_of_use (
  version int generated always as identity primary key,
  starts_at timestamptz not null check (starts_at >= created_at),
  text text check (length(text) between 1 and 20000),
  link text check (link like 'https://%'),
  -- SHA-256 of the text, or of the link.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  created_by bigint references member (id),
  check ((text is null) <> (link is null))
);
create index terms_of_use_by_start on terms_of_use (starts_at desc, version desc);
-- A version can be deleted only while no member has accepted it: after that, the reference of the acceptance prevents it.
create trigger terms_of_use_fixed before update on terms_of_use for each row execute function reject_change();

-- Acceptances: one row per member and version.
create table terms_of_use_acceptance (
  member_id bigint not null references member (id),
  version int not null references terms_of_use (version),
  -- The hash that the member sent.
  hash text not null,
  accepted_at timestamptz not null,
  how text not null check (how in ('app', 'link')),
  primary key (member_id, version)
);
create index terms_of_use_acceptance_of_version on terms_of_use_acceptance (version);
create trigger terms_of_use_acceptance_append_only before update or delete on terms_of_use_acceptance
  for each row execute function reject_change();

-- The last mail that asked a member to accept.
create table terms_of_use_mail (
  member_id bigint primary key references member (id),
  version int not null,
  mailed_at timestamptz not null
);
