create or replace function deposit_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'deposit', r.status, count(*), sum(r.usd_amount - r.reversed_usd) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function deposit_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'deposit' as list, new.status as bucket, 1 as rows, new.usd_amount - new.reversed_usd as amount
    union all select old.member_id, 'deposit', old.status, -1, -old.usd_amount - old.reversed_usd) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function payout_request_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, case when r.kind = 'withdrawal' then 'withdrawal' when r.kind = 'bridge' then 'bridge' end, r.status, count(*), sum(r.amount) from fresh r where case when r.kind = 'withdrawal' then 'withdrawal' when r.kind = 'bridge' then 'bridge' end is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function payout_request_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when new.kind = 'withdrawal' then 'withdrawal' when new.kind = 'bridge' then 'bridge' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when old.kind = 'withdrawal' then 'withdrawal' when old.kind = 'bridge' then 'bridge' end, old.status, -1, -old.amount) changes where list is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function coin_purchase_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'buy-token', case when r.reversed_at is null then '' else 'REVERSED' end, count(*), sum(r.coin_amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function coin_purchase_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'buy-token' as list, case when new.reversed_at is null then '' else 'REVERSED' end as bucket, 1 as rows, new.coin_amount as amount
    union all select old.member_id, 'buy-token', case when old.reversed_at is null then '' else 'REVERSED' end, -1, -old.coin_amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function wallet_exchange_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'exchange', '', count(*), sum(r.amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function wallet_exchange_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'exchange' as list, '' as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, 'exchange', '', -1, -old.amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function stake_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, case when not r.is_omega then 'stake' when r.is_omega then 'stake-log' end, r.status, count(*), sum(r.amount) from fresh r where case when not r.is_omega then 'stake' when r.is_omega then 'stake-log' end is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function stake_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when not new.is_omega then 'stake' when new.is_omega then 'stake-log' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when not old.is_omega then 'stake' when old.is_omega then 'stake-log' end, old.status, -1, -old.amount) changes where list is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function nft_purchase_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'nft-purchase', case when r.status = 'REVERSED' then r.status else r.kind end, count(*), sum(r.price) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
create or replace function nft_purchase_recounted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'nft-purchase' as list, case when new.status = 'REVERSED' then new.status else new.kind end as bucket, 1 as rows, new.price as amount
    union all select old.member_id, 'nft-purchase', case when old.status = 'REVERSED' then old.status else old.kind end, -1, -old.price) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;

create or replace function ticket_counted() returns trigger language plpgsql as $$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'ticket', '', count(*), sum(0) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $$;
