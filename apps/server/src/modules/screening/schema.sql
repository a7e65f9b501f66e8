-- Other modules may read this table, because staff list matches.
-- published: screening_hit

-- Lists of names and addresses that the operator loads, such as sanctions (docs/decisions/0071-screening.md). Without an active list the
-- product compares nothing. A staged list waits for two people; a job deletes the entries of a replaced one.
create table screening_list (
  id bigint generated always as identity primary key,
  -- SHA-256 of the file.
  hash text not null,
  status text not null check (status in ('STAGED', 'ACTIVE', 'REPLACED')),
  entries int not null,
  staged_at timestamptz not null,
  activated_at timestamptz,
  -- Progress of the comparison with all members: the last compared address of the list, and then the id of the last compared member.
  address_cursor text not null default '',
  member_cursor bigint not null default 0,
  check (status <> 'ACTIVE' or activated_at is not null)
);
create unique index screening_list_current on screening_list (status) where status <> 'REPLACED';
create table screening_entry (
  list_id bigint not null references screening_list (id),
  source text not null,
  reference text not null,
  name text not null,
  listed_on date,
  primary key (list_id, source, reference)
);
-- What members are compared with: the names of an entry as sorted words, and its addresses (keys.rules.ts).
create table screening_key (
  list_id bigint not null references screening_list (id),
  kind text not null check (kind in ('name', 'address')),
  key text not null,
  source text not null,
  reference text not null,
  primary key (list_id, kind, key, source, reference)
);

-- New names and addresses of members, queued by triggers in the transaction of the change. No payout of the member is approved before the
-- job has compared them.
create table screening_task (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  cause text not null check (cause in ('name', 'address', 'payout')),
  -- Payout address; null to compare the name.
  address text
);
create index screening_task_by_member on screening_task (member_id);

-- Matches of members with entries. A match without a verdict, or with the verdict `same`, holds the member's payouts. A match is recorded
-- once, so that a new list does not repeat a decided one.
create table screening_hit (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  kind text not null check (kind in ('name', 'address')),
  key text not null,
  source text not null,
  reference text not null,
  listed_name text not null,
  listed_on date,
  cause text not null check (cause in ('list', 'name', 'address', 'payout')),
  found_at timestamptz not null,
  verdict text check (verdict in ('same', 'different')),
  decided_at timestamptz,
  unique (member_id, kind, key, source, reference),
  check ((verdict is null) = (decided_at is null))
);
create index screening_hit_by_verdict on screening_hit (coalesce(verdict, 'open'), id desc);

create trigger member_to_screen after insert on member for each row execute function queue_name_screening();
create trigger member_to_screen_again after update of name on member
  for each row when (old.name <> new.name) execute function queue_name_screening();
