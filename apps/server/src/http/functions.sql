-- Locks the keys of money calls for this transaction and returns the stored responses, one row per key, in the order of the keys.
-- The read is a separate statement, so that it sees all commits before the lock. Each key is read by index, because a plan cached
-- for a small table would scan the table after it has grown.
create or replace function idempotency_claim(members bigint[], operations text[], keys text[])
returns table (locked boolean, request_digest text, status int, answer text, headers jsonb) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  locks boolean[];
begin
  select array_agg(pg_try_advisory_xact_lock(hashtextextended(c.member_id || ':' || c.operation || ':' || c.key, 5)) order by c.ordinal) into locks
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, ordinal);
  return query select locks[c.ordinal], i.request_digest, i.status, i.answer, i.headers
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, ordinal)
    left join lateral (select * from idempotency i
      where locks[c.ordinal] and i.member_id = c.member_id and i.operation = c.operation and i.key = c.key limit 1) i on true
    order by c.ordinal;
end $$;
