-- Announcement popup (EN-19). The row with the latest start is in force.
create table announcement (
  id bigint generated always as identity primary key,
  title text not null,
  message text not null,
  is_active boolean not null,
  created_at timestamptz not null,
  created_by bigint references member (id),
  starts_at timestamptz not null check (starts_at >= created_at)
);
create index announcement_by_start on announcement (starts_at desc, id desc);
