-- Keeps the list's figures (member_tally). New rows are counted once a statement, changed ones where a figure changes.
create or replace function deposit_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, 'deposit', status, count(*), sum(usd_amount) from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function deposit_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select member_id, 'deposit' as list, status as bucket, 1 as rows, usd_amount as amount from (select new.*) n
    union all select member_id, 'deposit', status, -1, -usd_amount from (select old.*) o) changes group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
