-- Other modules may read this table, because webhooks send the events.
-- published: event

-- Events that triggers write in the transaction of their cause, one row for each statement. The table has no key, index or reference,
-- so that it adds little cost to sales and payouts. A job moves the events to `event`.
create table event_outbox (
  -- Random. `moveEvents` derives the id of each event from the seed and the object.
  seed uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  -- Public ids of the objects, or the day of the rewards, each followed by `member.id`: `Cq3 17,Df4 18`. One text is shorter than two
  -- arrays, which keeps calls of members cheap.
  objects text not null
) with (toast_tuple_target = 8160);

-- Events for other software, in the order of `id`. One job writes them, so ids become visible in order, and a reader that
-- stores its last id misses none.
create table event (
  id bigint generated always as identity primary key,
  event_id uuid not null,
  kind text not null,
  -- Public id of the object, or the day of the rewards.
  subject text not null,
  member_id bigint references member (id),
  at timestamptz not null
);
create index event_by_age on event using brin (at) with (autosummarize = on);

create trigger member_verified_event after update of is_verified on member
  for each row when (not old.is_verified and new.is_verified) execute function record_member_event('member.verified');
create trigger member_activated_event after update of is_active on member
  for each row when (not old.is_active and new.is_active) execute function record_member_event('member.activated');
create trigger member_deactivated_event after update of is_active on member
  for each row when (old.is_active and not new.is_active) execute function record_member_event('member.deactivated');
