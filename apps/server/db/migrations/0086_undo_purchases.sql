-- Purchases that staff undo within the hold period of their rewards: the money goes back, what was held for it falls away.
-- `undone_after` is how many days of a stake were counted until then; `paid_days` is set to the duration with it, so that
-- no run finds a day that is due.
alter table stake
  drop constraint stake_status_check,
  add constraint stake_status_check check (status in ('ACTIVE', 'COMPLETED', 'UNDONE')),
  add column undone_at timestamptz,
  add column undone_after int,
  add constraint stake_undone check (
    (status = 'UNDONE') = (undone_at is not null) and (undone_at is null) = (undone_after is null)
    and (undone_after is null or (paid_days = duration_days and undone_after between 0 and duration_days)));
alter table nft_purchase
  drop constraint nft_purchase_status_check,
  add constraint nft_purchase_status_check check (status in ('ACTIVE', 'CLOSED', 'UNDONE')),
  add column undone_at timestamptz,
  add constraint nft_purchase_undone check ((status = 'UNDONE') = (undone_at is not null) and (undone_at is null or total_paid = 0));
alter table coin_purchase add column undone_at timestamptz;

-- Undone rows stay in their lists, in a bucket of their own: an undone NFT is no holding.
create or replace view member_list_row as
  select member_id, 'coin' as list, case when undone_at is null then '' else 'UNDONE' end as bucket, coin_amount as amount from coin_purchase
  union all select member_id, 'exchange', '', amount from wallet_exchange
  union all select member_id, kind, status, amount from payout_request
  union all select member_id, case when is_omega then 'stake-log' else 'stake' end, status, amount from stake
  union all select member_id, 'nft', case when status = 'UNDONE' then status else kind end, price from nft_purchase
  union all select member_id, 'deposit', status, usd_amount from deposit
  union all select member_id, 'ticket', '', 0 from ticket;

create function count_undone(person bigint, in_list text, was text, amount bigint) returns void language sql as $$
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  values (person, in_list, was, -1, -amount), (person, in_list, 'UNDONE', 1, amount)
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount
$$;
create function coin_purchase_undone() returns trigger language plpgsql as $$
begin
  perform count_undone(new.member_id, 'coin', '', new.coin_amount);
  return null;
end $$;
create trigger coin_purchase_undone after update of undone_at on coin_purchase
  for each row when (old.undone_at is null and new.undone_at is not null) execute function coin_purchase_undone();
create function nft_purchase_undone() returns trigger language plpgsql as $$
begin
  perform count_undone(new.member_id, 'nft', new.kind, new.price);
  return null;
end $$;
create trigger nft_purchase_undone after update of status on nft_purchase
  for each row when (old.status <> 'UNDONE' and new.status = 'UNDONE') execute function nft_purchase_undone();

alter table staff_change
  drop constraint staff_change_subject_check,
  add constraint staff_change_subject_check
    check (subject in ('price', 'settings', 'plan', 'nft', 'popup', 'limits', 'programme', 'credit', 'fund', 'staff', 'undo'));
