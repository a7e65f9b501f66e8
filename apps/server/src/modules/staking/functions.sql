-- Keeps the list's figures (member_tally). New rows are counted once a statement, changed ones where a figure changes.
create or replace function stake_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, case when is_omega then 'stake-log' else 'stake' end, status, count(*), sum(amount) from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function stake_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select member_id, case when is_omega then 'stake-log' else 'stake' end as list, status as bucket, 1 as rows, amount as amount from (select new.*) n
    union all select member_id, case when is_omega then 'stake-log' else 'stake' end, status, -1, -amount from (select old.*) o) changes group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
