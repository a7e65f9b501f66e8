-- Keeps the list's figures (member_tally). New rows are counted once a statement, changed ones where a figure changes.
create or replace function payout_request_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, kind, status, count(*), sum(amount) from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function payout_request_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select member_id, kind as list, status as bucket, 1 as rows, amount as amount from (select new.*) n
    union all select member_id, kind, status, -1, -amount from (select old.*) o) changes group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
