-- Locks keys of money calls for this transaction, and finds the answers that were given under them: one row a key, in order.
-- The look-up is a statement of its own, so that it sees what was committed before the lock was got. It asks for each key by
-- itself: a plan is kept for as long as a line lives, and one made while the table was small would read all of it ever after.
create or replace function idempotency_claim(members bigint[], operations text[], keys text[])
returns table (locked boolean, request_digest text, status int, answer text) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  locks boolean[];
begin
  select array_agg(pg_try_advisory_xact_lock(hashtextextended(c.member_id || ':' || c.operation || ':' || c.key, 5)) order by c.place) into locks
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place);
  return query select locks[c.place], i.request_digest, i.status, i.answer
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place)
    left join lateral (select * from idempotency i
      where locks[c.place] and i.member_id = c.member_id and i.operation = c.operation and i.key = c.key limit 1) i on true
    order by c.place;
end $$;
