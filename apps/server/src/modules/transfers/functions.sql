-- Keeps the list's figures (member_tally). New rows are counted once a statement.
create or replace function wallet_exchange_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, 'exchange', '', count(*), sum(amount) from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
