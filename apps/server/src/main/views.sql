-- What is counted in member_tally: the rows of all lists, each with its bucket and amount. The audit compares the two.
-- Undone rows stay in their lists, in a bucket of their own: an undone NFT is no holding.
create view member_list_row as
  select member_id, 'coin' as list, case when undone_at is null then '' else 'UNDONE' end as bucket, coin_amount as amount from coin_purchase
  union all select member_id, 'exchange', '', amount from wallet_exchange
  union all select member_id, kind, status, amount from payout_request
  union all select member_id, case when is_omega then 'stake-log' else 'stake' end, status, amount from stake
  union all select member_id, 'nft', case when status = 'UNDONE' then status else kind end, price from nft_purchase
  union all select member_id, 'deposit', status, usd_amount from deposit
  union all select member_id, 'ticket', '', 0 from ticket;
