-- What each member's instant rewards of a kind add up to in an ISO week (by its Monday, UTC), less what was taken back.
-- Rows are added when they are tallied; those that are not yet are read as they are.
create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  primary key (member_id, starts_on, kind)
) with (fillfactor = 80);

insert into reward_week
select beneficiary_id, date_trunc('week', created_at at time zone 'UTC')::date, kind, sum(amount - reversed)::bigint
from reward_instant where tallied group by 1, 2, 3;
