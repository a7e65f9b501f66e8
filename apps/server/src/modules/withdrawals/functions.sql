-- What wishes for payouts meet, one row each, in order: what the member has asked for since a moment, and whether the address
-- stands in the member's book and needs no confirmation. By indexes, whatever the tables were like when the plan was made.
create or replace function payout_admission(members bigint[], networks int[], keys text[], since timestamptz, at timestamptz)
returns table (count int, withdrawal bigint, bridge bigint, trusted boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query select d.count, d.withdrawal, d.bridge, exists (select from payout_address a join member m on m.id = a.member_id
      where a.member_id = w.member_id and a.network = w.network and a.address_key = w.address_key and a.removed_at is null
      and a.usable_from <= at and m.payouts_stopped_at is null)
    from unnest(members, networks, keys) with ordinality w (member_id, network, address_key, place)
    cross join lateral (select count(*)::int as count,
        coalesce(sum(r.amount) filter (where r.kind = 'withdrawal' and r.status <> 'REJECTED'), 0)::bigint as withdrawal,
        coalesce(sum(r.amount) filter (where r.kind = 'bridge' and r.status <> 'REJECTED'), 0)::bigint as bridge
      from payout_request r where r.member_id = w.member_id and r.created_at > since) d
    order by w.place;
end $$;

-- A number is given once; it neither changes nor goes with its row.
create or replace function keep_payout_number() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.nonce is not null and (new.wallet, new.nonce) is distinct from (old.wallet, old.nonce) then
    raise exception '% of payout_sending is refused: a payout is signed under one number', tg_op using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
