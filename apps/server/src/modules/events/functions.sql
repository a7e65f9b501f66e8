-- Records an event about a member. The argument is the kind.
create or replace function record_member_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id || ' ' || new.id);
  return null;
end $$;

-- Records an event for each new row (`fresh`) of a member. The argument is the kind.
create or replace function record_new_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects)
    select tg_argv[0], string_agg(public_id || ' ' || member_id, ',') from fresh having count(*) > 0;
  return null;
end $$;

-- Records an event for each new row (`fresh`) that was sold here. The argument is the kind. An import would make millions of events, so
-- its rows make none (docs/import.md).
create or replace function record_sale_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects)
    select tg_argv[0], string_agg(public_id || ' ' || member_id, ',') from fresh where imported_at is null having count(*) > 0;
  return null;
end $$;

-- Records an event about a changed row of a member. The argument is the kind.
create or replace function record_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id || ' ' || new.member_id);
  return null;
end $$;

-- Records an event about an incident of the platform. The argument is the kind.
create or replace function record_incident_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id);
  return null;
end $$;

-- Records an event about a paid day of rewards. The argument is the kind.
create or replace function record_day_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.day::text);
  return null;
end $$;
