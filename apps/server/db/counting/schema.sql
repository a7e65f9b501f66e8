create trigger deposit_counted after insert on deposit
  referencing new table as fresh for each statement execute function deposit_counted();
create trigger deposit_recounted after update of status, usd_amount, reversed_usd on deposit
  for each row when ((old.status) is distinct from (new.status) or (old.usd_amount - old.reversed_usd) is distinct from (new.usd_amount - new.reversed_usd)) execute function deposit_recounted();

create trigger payout_request_counted after insert on payout_request
  referencing new table as fresh for each statement execute function payout_request_counted();
create trigger payout_request_recounted after update of kind, status, amount on payout_request
  for each row when ((case when old.kind = 'withdrawal' then 'withdrawal' when old.kind = 'bridge' then 'bridge' end) is distinct from (case when new.kind = 'withdrawal' then 'withdrawal' when new.kind = 'bridge' then 'bridge' end) or (old.status) is distinct from (new.status) or (old.amount) is distinct from (new.amount)) execute function payout_request_recounted();

create trigger coin_purchase_counted after insert on coin_purchase
  referencing new table as fresh for each statement execute function coin_purchase_counted();
create trigger coin_purchase_recounted after update of reversed_at, coin_amount on coin_purchase
  for each row when ((case when old.reversed_at is null then '' else 'REVERSED' end) is distinct from (case when new.reversed_at is null then '' else 'REVERSED' end) or (old.coin_amount) is distinct from (new.coin_amount)) execute function coin_purchase_recounted();

create trigger wallet_exchange_counted after insert on wallet_exchange
  referencing new table as fresh for each statement execute function wallet_exchange_counted();
create trigger wallet_exchange_recounted after update of amount on wallet_exchange
  for each row when ((old.amount) is distinct from (new.amount)) execute function wallet_exchange_recounted();

create trigger stake_counted after insert on stake
  referencing new table as fresh for each statement execute function stake_counted();
create trigger stake_recounted after update of is_omega, status, amount on stake
  for each row when ((case when not old.is_omega then 'stake' when old.is_omega then 'stake-log' end) is distinct from (case when not new.is_omega then 'stake' when new.is_omega then 'stake-log' end) or (old.status) is distinct from (new.status) or (old.amount) is distinct from (new.amount)) execute function stake_recounted();

create trigger nft_purchase_counted after insert on nft_purchase
  referencing new table as fresh for each statement execute function nft_purchase_counted();
create trigger nft_purchase_recounted after update of status, kind, price on nft_purchase
  for each row when ((case when old.status = 'REVERSED' then old.status else old.kind end) is distinct from (case when new.status = 'REVERSED' then new.status else new.kind end) or (old.price) is distinct from (new.price)) execute function nft_purchase_recounted();

create trigger ticket_counted after insert on ticket
  referencing new table as fresh for each statement execute function ticket_counted();
