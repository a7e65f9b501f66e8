-- Locks keys of money calls for this transaction, and finds the answers that were given under them: one row a key, in order.
-- The look-up is a statement of its own, so that it sees what was committed before the lock was got.
create or replace function idempotency_claim(members bigint[], operations text[], keys text[])
returns table (locked boolean, request_digest text, status int, answer text) language plpgsql as $$
#variable_conflict use_column
declare
  locks boolean[];
begin
  select array_agg(pg_try_advisory_xact_lock(hashtextextended(c.member_id || ':' || c.operation || ':' || c.key, 5)) order by c.place) into locks
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place);
  return query select locks[c.place], i.request_digest, i.status, i.answer
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place)
    left join idempotency i on locks[c.place] and i.member_id = c.member_id and i.operation = c.operation and i.key = c.key
    order by c.place;
end $$;
