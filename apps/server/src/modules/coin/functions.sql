-- Keeps the list's figures (member_tally). New rows are counted once a statement.
create or replace function coin_purchase_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, 'coin', '', count(*), sum(coin_amount) from fresh group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

create or replace function coin_purchase_undone() returns trigger language plpgsql as $$
begin
  perform count_undone(new.member_id, 'coin', '', new.coin_amount);
  return null;
end $$;
