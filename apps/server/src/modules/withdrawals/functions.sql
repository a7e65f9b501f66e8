-- Returns an entry of an address book, which the server verifies by its MAC; null if the entry is neither confirmed nor proven.
create or replace function address_entry(id text, confirmed_at timestamptz, usable_from timestamptz, proven_by text, proven_at timestamptz,
  mac bytea) returns jsonb language sql stable as $$
  select case when coalesce(confirmed_at, usable_from, proven_at) is not null then jsonb_build_object('id', id,
    'confirmedAt', (extract(epoch from confirmed_at) * 1000)::bigint, 'usableFrom', (extract(epoch from usable_from) * 1000)::bigint,
    'by', proven_by, 'at', (extract(epoch from proven_at) * 1000)::bigint, 'mac', encode(mac, 'hex')) end
$$;

-- Returns the members who were or want to be paid to an address, or have it in their address book, removed entries included.
create or replace function address_users(wanted text) returns setof bigint language sql stable as $$
  select member_id from payout_request where lower(address) = lower(wanted)
  union select member_id from payout_address where address_key in (wanted, lower(wanted))
$$;

-- Locks the senders in order of their ids, and returns the values for the outflow checks of each target, in order: payouts of the last 24
-- hours, address book and freezes. A target without a key is no address. The second statement has a newer snapshot than the locks. The
-- function forces index scans, because a cached plan may date from a time when the tables were small.
create or replace function outflow_checks(members bigint[], networks int[], keys text[], since timestamptz, at timestamptz)
returns table (count int, withdrawal bigint, bridge bigint, transfer bigint, unconfirmed bigint, entry jsonb, stopped boolean,
  "frozenUntil" timestamptz, "frozenFor" text, screened boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  perform from member where id = any(members) order by id for no key update;
  return query select d.count, d.withdrawal, d.bridge, d.transfer,
      (select coalesce(sum(t.amount), 0)::bigint from (
        select unnest(u.times) as at, unnest(u.amounts) as amount from unconfirmed_transfer u where u.member_id = w.member_id) t where t.at > since),
      b.entry, m.payouts_stopped_at is not null, m.payouts_frozen_until, m.payouts_frozen_for,
      w.member_id = any(array(select match from screening_matches(members) match))
    from unnest(members, networks, keys) with ordinality w (member_id, network, address_key, ordinal)
    left join member m on m.id = w.member_id
    left join lateral (select address_entry(a.public_id, a.confirmed_at, a.usable_from, a.proven_by, a.proven_at, a.entry_mac) as entry from payout_address a
      where a.member_id = w.member_id and a.network = w.network and a.address_key = w.address_key and a.removed_at is null) b on true
    cross join lateral (select count(*)::int as count,
        coalesce(sum(r.amount) filter (where r.kind = 'withdrawal' and r.status <> 'REJECTED'), 0)::bigint as withdrawal,
        coalesce(sum(r.amount) filter (where r.kind = 'bridge' and r.status <> 'REJECTED'), 0)::bigint as bridge,
        coalesce(sum(r.amount) filter (where r.kind = 'transfer' and r.status <> 'REJECTED'), 0)::bigint as transfer
      from payout_request r where r.member_id = w.member_id and r.created_at > since) d
    order by w.ordinal;
end $$;

-- Adds transfers without confirmation to the rows of their senders, whom the caller has locked. Each sender appears once. Sums of the same
-- minute are one. A row with 60 sums, or with one that no longer counts, is rewritten: without those that no longer count, and with one sum
-- for each hour if there are 60 minutes, so that it stays short.
create or replace function record_unconfirmed(senders bigint[], sums bigint[], at timestamptz) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare added bigint[];
begin
  with short as (
    update unconfirmed_transfer u set
      times[cardinality(u.times) + (u.times[cardinality(u.times)] < date_trunc('minute', at))::int] = greatest(at, u.times[cardinality(u.times)]),
      amounts[cardinality(u.times) + (u.times[cardinality(u.times)] < date_trunc('minute', at))::int] =
        s.amount + case when u.times[cardinality(u.times)] < date_trunc('minute', at) then 0 else u.amounts[cardinality(u.times)] end
    from unnest(senders, sums) s (member_id, amount)
    where u.member_id = s.member_id and cardinality(u.times) < 60 and u.times[1] > at - interval '24 hours' returning u.member_id)
  select array_agg(member_id) into added from short;
  if cardinality(added) = cardinality(senders) then return; end if;
  insert into unconfirmed_transfer as u (member_id, times, amounts)
    select s.member_id, array[at], array[s.amount] from unnest(senders, sums) s (member_id, amount)
    where s.member_id <> all(coalesce(added, '{}'))
    on conflict (member_id) do update set (times, amounts) = (
      select array_agg(g.at order by g.at), array_agg(g.amount order by g.at) from (
        select max(e.at) as at, sum(e.amount)::bigint as amount
        from unnest(u.times || excluded.times, u.amounts || excluded.amounts) e (at, amount)
        where e.at > excluded.times[1] - interval '24 hours'
        group by date_trunc(case when cardinality(u.times) < 60 then 'minute' else 'hour' end, e.at)) g);
end $$;

-- Rejects changes to a signed transaction. The erasure of the member replaces the receiver's address in it.
create or replace function keep_transaction_bytes() returns trigger language plpgsql as $$
begin
  if exists (
    select from member m where m.erased_at is not null and m.id in (
      select member_id from payout_request where id = old.request_id
      union all select member_id from payment_return where id = old.request_id)) then
    return new;
  end if;
  raise exception 'signed_transaction is append-only' using errcode = 'restrict_violation';
end $$;

-- Rejects deletes, and changes to an assigned nonce.
create or replace function keep_payout_number() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.nonce is not null and (new.wallet, new.nonce) is distinct from (old.wallet, old.nonce) then
    raise exception '% of payout_sending is refused: a payout is signed under one number', tg_op using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
