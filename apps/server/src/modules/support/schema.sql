-- Support tickets, their messages and images (EN-51). Images are re-encoded before storage.
create table ticket_image (
  id text primary key,
  member_id bigint not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz not null
);
create index ticket_image_by_member on ticket_image (member_id);

create table ticket (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  title text not null,
  description text not null,
  image_id text references ticket_image (id),
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSED')),
  -- True if the ticket waits for an answer of staff. Each message of the member sets this.
  awaits_staff boolean not null default true,
  created_at timestamptz not null,
  last_message_at timestamptz not null,
  first_answered_at timestamptz,
  closed_at timestamptz,
  -- Receipt that the member reported, by kind and id.
  about_kind text,
  about_id text,
  -- Assigned staff member, and tags chosen by staff.
  assignee_id bigint references member (id),
  tags text[] not null default '{}',
  check ((about_kind is null) = (about_id is null))
);
create index ticket_by_member on ticket (member_id, id desc);
-- Sorts the views of the support desk: longest waiting first, or latest message first.
create index ticket_queue on ticket (last_message_at, id) where status = 'OPEN' and awaits_staff;
create index ticket_answered on ticket (last_message_at desc, id desc) where status = 'OPEN' and not awaits_staff;
create index ticket_assigned on ticket (assignee_id, last_message_at, id) where status = 'OPEN';
create index ticket_closed on ticket (closed_at desc, id desc) where status = 'CLOSED';
-- Counts first replies in time (staff-tickets.queries.ts) by an index-only scan.
create index ticket_by_day on ticket (created_at) include (first_answered_at, closed_at);
create index ticket_by_tag on ticket using gin (tags);

create table ticket_message (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references ticket (id),
  author_id bigint not null references member (id),
  role text not null check (role in ('USER', 'SUPPORT', 'ADMIN')),
  message text not null,
  image_id text references ticket_image (id),
  created_at timestamptz not null,
  -- Receipts of the member, attached by the server: [{kind, id, title}].
  receipts jsonb not null default '[]'
);
create index ticket_message_by_ticket on ticket_message (ticket_id, id);

create trigger ticket_event after insert on ticket referencing new table as fresh
  for each statement execute function record_new_events('ticket.opened');
create trigger ticket_message_event after update of last_message_at on ticket
  for each row when (old.last_message_at <> new.last_message_at) execute function record_event('ticket.message');
create trigger ticket_closed_event after update of status on ticket
  for each row when (old.status <> 'CLOSED' and new.status = 'CLOSED') execute function record_event('ticket.closed');
