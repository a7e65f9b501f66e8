-- Public ids of payouts, cold moves, payment returns and proceeds, by id in payout_sending.
create view sent_order as
select id, public_id from payout_request union all select id, public_id from cold_move
union all select id, public_id from payment_return union all select id, public_id from proceeds_payout;
