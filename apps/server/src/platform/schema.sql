-- How far the platform's clock is ahead of the database's clock. One row, which all processes read (docs/decisions/0050-one-time.md).
-- Only the sandbox and developers change it. A production process does not start unless it is 0.
create table clock_offset (
  id boolean primary key default true check (id),
  -- At most ten years either way.
  seconds int not null default 0 check (seconds between -316224000 and 316224000),
  -- Time to which the sandbox's "a day later" last moved the clock. Reward runs may pay up to this time, unlike after any other jump.
  moved_to timestamptz
);
insert into clock_offset default values;
