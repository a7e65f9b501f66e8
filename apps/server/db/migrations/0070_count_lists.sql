-- How many rows each list of a member has and what they add up to, by status (by kind for NFTs), so that the figures of
-- a page cost the same for any history. Kept by triggers: whoever writes a row, the figures move in its transaction.
create table member_tally (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows int not null,
  amount numeric not null,
  primary key (member_id, list, bucket)
) with (fillfactor = 70);

-- What is counted: the rows of all lists, each with its bucket and amount. The audit compares the two.
create view member_list_row as
  select member_id, 'coin' as list, '' as bucket, coin_amount as amount from coin_purchase
  union all select member_id, 'exchange', '', amount from wallet_exchange
  union all select member_id, kind, status, amount from payout_request
  union all select member_id, case when is_omega then 'stake-log' else 'stake' end, status, amount from stake
  union all select member_id, 'nft', kind, price from nft_purchase
  union all select member_id, 'deposit', status, usd_amount from deposit
  union all select member_id, 'ticket', '', 0 from ticket;

insert into member_tally (member_id, list, bucket, rows, amount)
select member_id, list, bucket, count(*), sum(amount) from member_list_row group by 1, 2, 3;

-- New rows are counted once a statement, changed ones one by one and only where a figure changes: a reward run updates
-- a million stakes without touching one.
do $do$
declare
  t record;
  upsert constant text := $$ group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount$$;
begin
  for t in
    select * from (values
      ('coin_purchase', $$'coin'$$, $$''$$, 'coin_amount', null),
      ('wallet_exchange', $$'exchange'$$, $$''$$, 'amount', null),
      ('payout_request', 'kind', 'status', 'amount', '{status}'),
      ('stake', $$case when is_omega then 'stake-log' else 'stake' end$$, 'status', 'amount', '{status}'),
      ('nft_purchase', $$'nft'$$, 'kind', 'price', null),
      ('deposit', $$'deposit'$$, 'status', 'usd_amount', '{status,usd_amount}'),
      ('ticket', $$'ticket'$$, $$''$$, '0', null)
    ) v (name, list, bucket, amount, changing)
  loop
    execute format($f$
      create function %1$s_counted() returns trigger language plpgsql as $b$
      begin
        insert into member_tally as held (member_id, list, bucket, rows, amount)
        select member_id, %2$s, %3$s, count(*), sum(%4$s) from fresh %5$s;
        return null;
      end $b$;
      create trigger %1$s_counted after insert on %1$s referencing new table as fresh for each statement execute function %1$s_counted();
      $f$, t.name, t.list, t.bucket, t.amount, upsert);
    continue when t.changing is null;
    execute format($f$
      create function %1$s_recounted() returns trigger language plpgsql as $b$
      begin
        insert into member_tally as held (member_id, list, bucket, rows, amount)
        select member_id, list, bucket, sum(rows), sum(amount) from (
          select member_id, %2$s as list, %3$s as bucket, 1 as rows, %4$s as amount from (select new.*) n
          union all select member_id, %2$s, %3$s, -1, -%4$s from (select old.*) o) changes %5$s;
        return null;
      end $b$;
      create trigger %1$s_recounted after update of %6$s on %1$s for each row when (%7$s) execute function %1$s_recounted();
      $f$, t.name, t.list, t.bucket, t.amount, upsert, array_to_string(t.changing::text[], ', '),
      (select string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or ') from unnest(t.changing::text[]) c));
  end loop;
end $do$;
