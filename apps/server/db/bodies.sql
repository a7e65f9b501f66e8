-- All functions and views. Made by `npm run db:make` out of the rooms' SQL files. Do not edit.

set local check_function_bodies = off;

drop view if exists reward_progress, ledger_entry;

-- platform/functions.sql
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- ledger/functions.sql
-- The account number of one slot of an account. A member's wallet: member id * 16 + the wallet's number. A house
-- account: -(its number * 1000 + asset * 100 + slot). chart-of-accounts.ts holds the same rule.
create or replace function ledger_account_number(owner_id bigint, kind text, asset text, slot int) returns bigint
language sql immutable parallel safe as $$
  select case
    when owner_id > 0 and slot = 0 then owner_id * 16 + case kind || ' ' || asset
      when 'depositWallet USD' then 1 when 'nativeWallet COIN' then 2 when 'icoWallet COIN' then 3
      when 'newIcoWallet COIN' then 4 when 'stakeWallet COIN' then 5 when 'nftWallet USD' then 6
      when 'rcmWallet COIN' then 7 end
    when owner_id is null and slot between 0 and 99 then -(slot + case asset when 'USD' then 100 when 'COIN' then 200 end
      + 1000 * case kind when 'SYS-ISSUE' then 1 when 'SYS-DEPOSIT' then 2 when 'SYS-WITHDRAW' then 3
      when 'SYS-BRIDGE' then 4 when 'SYS-FEE' then 5 when 'SYS-SALES' then 6 when 'SYS-COIN' then 7
      when 'SYS-CONVERT' then 8 when 'SYS-REWARD' then 9 when 'SYS-HOLD' then 10 when 'SYS-OPERATOR' then 11 when 'SYS-GAS' then 12 end)
  end
$$;

-- Facts are never changed; a correction is a new transfer. ENABLE ALWAYS: also for replication roles.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- Opens the seven wallets of members; what is open stays as it is.
create or replace function ledger_open_accounts(owners bigint[]) returns void language sql as $$
  insert into ledger_account (id, owner_id, kind, asset)
  select ledger_account_number(o.owner, w.kind, w.asset, 0), o.owner, w.kind, w.asset
  from unnest(owners) o (owner),
    (values ('depositWallet', 'USD'), ('nativeWallet', 'COIN'), ('icoWallet', 'COIN'), ('newIcoWallet', 'COIN'),
      ('stakeWallet', 'COIN'), ('nftWallet', 'USD'), ('rcmWallet', 'COIN')) w (kind, asset)
  order by 1
  on conflict (id) do nothing
$$;

-- Posts a batch. Each posting is one or more transfers that happen together or not at all; one that is refused leaves
-- the others alone. Rows that come back:
--   posted      one per transfer asked for, in order, with its id and both balances after
--   repeated    the same for a posting that was made before under its key
--   short       the posting is refused: `account` does not hold the amount
--   busy        the posting is refused: other slots of the house account `account` are locked by others
--   key_reused  the posting is refused: its key belongs to another posting
-- How it is safe at READ COMMITTED: keys are locked first, in order; then all accounts, once, in order of their
-- numbers; ids are drawn only after that, so that on every account the order of ids is the order of balances. Slots
-- that join later are taken only when nobody holds them, so that no cycle of waiting can form.
-- accounts: distinct, ascending; t_debit and t_credit are places in it; t_posting counts from 1 without gaps.
create or replace function ledger_post(
  accounts bigint[], t_posting int[], t_debit int[], t_credit int[], t_amount bigint[], t_kind text[],
  p_cause_type text[], p_cause_id text[], p_rule_version int[], p_at timestamptz[], p_key text[], p_pending boolean[], p_resolves bigint[]
) returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];          -- account numbers, their balances, floors and assets
  balances bigint[];
  floors bigint[];
  assets text[];
  hits int[];            -- transfers on each account
  earlier bigint[];      -- posting id under each key, if any
  known int;             -- accounts locked
  -- transfers decided on so far
  o_posting int[] := '{}'; o_posting_id bigint[] := '{}'; o_id bigint[] := '{}'; o_debit int[] := '{}'; o_credit int[] := '{}';
  o_amount bigint[] := '{}'; o_kind text[] := '{}'; o_debit_after bigint[] := '{}'; o_credit_after bigint[] := '{}'; o_asked boolean[] := '{}';
  o_count int := 0;
  at_work int := 0;      -- posting at work, where its transfers start, whether it is given up
  mark int := 0;
  given_up boolean := false;
  first_id bigint;
  d int; c int; amount bigint; lacking bigint; next_id bigint;
  sibling record; place int; move bigint; was_locked boolean; written int;
begin
  if p_key is not null then
    perform pg_advisory_xact_lock(k.h) from (select distinct hashtextextended(key, 7) as h from unnest(p_key) key where key is not null order by 1) k;
    select array_agg(t.posting_id order by k.place) into earlier
      from unnest(p_key) with ordinality k (key, place) left join ledger_transfer t on t.key = k.key;
  end if;

  select array_agg(l.id), array_agg(l.balance), array_agg(l.min_balance), array_agg(l.asset), array_agg(0)
    into ids, balances, floors, assets, hits
    from (select a.id, a.balance, a.min_balance, a.asset from ledger_account a
      where a.id = any (accounts) order by a.id for no key update) l;
  if ids is distinct from accounts then
    raise exception 'ledger_post: no such account, or accounts out of order: %', accounts using errcode = 'foreign_key_violation';
  end if;
  known := cardinality(ids);

  for i in 1 .. cardinality(t_posting) loop
    if t_posting[i] <> at_work then
      at_work := t_posting[i];
      mark := o_count;
      first_id := null;
      given_up := earlier[at_work] is not null;
      if given_up then
        return query select * from ledger_repeated(at_work, earlier[at_work],
          (select array_agg(array[t_amount[j], ledger_party(accounts[t_debit[j]]), ledger_party(accounts[t_credit[j]])] order by j)
            from generate_subscripts(t_posting, 1) j where t_posting[j] = at_work));
      end if;
    end if;
    continue when given_up;

    d := t_debit[i]; c := t_credit[i]; amount := t_amount[i];
    if amount <= 0 or d = c or assets[d] <> assets[c] then
      raise exception 'ledger_post: % from % to % is no transfer', amount, ids[d], ids[c] using errcode = 'check_violation';
    end if;

    lacking := 0;
    if balances[d] - amount < floors[d] then
      lacking := floors[d] - (balances[d] - amount);
      was_locked := false;
      -- A slot of a house account is short: take from its siblings, richest first. What lies in slots of the reward pool
      -- is on its way to members.
      if ids[d] < 0 and ids[d] / 1000 <> -9 then
        for sibling in
          select a.id, a.balance, a.min_balance, a.asset from ledger_account a
          where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100) and a.id <> all (ids)
          order by a.balance desc for no key update skip locked
        loop
          ids := ids || sibling.id; balances := balances || sibling.balance; floors := floors || sibling.min_balance;
          assets := assets || sibling.asset; hits := hits || 0; known := known + 1;
        end loop;
        for sibling in
          select s.place::int as place from unnest(ids) with ordinality s (id, place)
          where s.id / 100 = ids[d] / 100 and s.id <> ids[d] order by balances[s.place] desc
        loop
          exit when lacking <= 0;
          place := sibling.place;
          -- Half of what it has, so that the next transfer is not short again.
          move := least(balances[place], greatest(lacking, balances[place] / 2));
          continue when move <= 0;
          next_id := nextval('ledger_transfer_id_seq');
          first_id := coalesce(first_id, next_id);
          balances[place] := balances[place] - move; balances[d] := balances[d] + move;
          hits[place] := hits[place] + 1; hits[d] := hits[d] + 1;
          o_count := o_count + 1;
          o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
          o_debit[o_count] := place; o_credit[o_count] := d; o_amount[o_count] := move; o_kind[o_count] := 'slotMove';
          o_debit_after[o_count] := balances[place]; o_credit_after[o_count] := balances[d]; o_asked[o_count] := false;
          lacking := lacking - move;
        end loop;
        if lacking > 0 then
          select count(*) > (select count(*) from unnest(ids) s (id) where s.id / 100 = ids[d] / 100) into was_locked
            from ledger_account a where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100);
        end if;
      end if;
    end if;

    if lacking > 0 then
      -- Undo what this posting did so far.
      given_up := true;
      posting := at_work; outcome := case when was_locked then 'busy' else 'short' end; account := ids[d];
      return next;
      for j in reverse o_count .. mark + 1 loop
        balances[o_debit[j]] := balances[o_debit[j]] + o_amount[j]; balances[o_credit[j]] := balances[o_credit[j]] - o_amount[j];
        hits[o_debit[j]] := hits[o_debit[j]] - 1; hits[o_credit[j]] := hits[o_credit[j]] - 1;
      end loop;
      o_count := mark;
      continue;
    end if;

    next_id := nextval('ledger_transfer_id_seq');
    first_id := coalesce(first_id, next_id);
    balances[d] := balances[d] - amount; balances[c] := balances[c] + amount;
    hits[d] := hits[d] + 1; hits[c] := hits[c] + 1;
    o_count := o_count + 1;
    o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
    o_debit[o_count] := d; o_credit[o_count] := c; o_amount[o_count] := amount; o_kind[o_count] := t_kind[i];
    o_debit_after[o_count] := balances[d]; o_credit_after[o_count] := balances[c]; o_asked[o_count] := true;
  end loop;

  if o_count = 0 then return; end if;

  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key)
  select o.id, o.posting_id, ids[o.debit], ids[o.credit], o.amount, o.debit_after, o.credit_after,
    p_at[o.posting], p_resolves[o.posting], p_rule_version[o.posting], p_pending[o.posting] and o.asked, assets[o.debit], o.kind,
    p_cause_type[o.posting], p_cause_id[o.posting], case when o.id = o.posting_id then p_key[o.posting] end
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit[1:o_count], o_credit[1:o_count], o_amount[1:o_count],
    o_kind[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count])
    o (posting, posting_id, id, debit, credit, amount, kind, debit_after, credit_after, asked);

  -- The CHECK on the row is the last word on the floor, whatever was worked out above.
  update ledger_account a set balance = n.balance, version = a.version + n.hits
  from unnest(ids, balances, hits) n (id, balance, hits) where a.id = n.id and n.hits > 0;
  get diagnostics written = row_count;
  if written <> (select count(*) from unnest(hits) h where h > 0) then
    raise exception 'ledger_post: % accounts written', written;
  end if;

  return query select o.posting, 'posted', o.posting_id, o.id, o.debit_after, o.credit_after, null::bigint
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count])
    o (posting, posting_id, id, debit_after, credit_after, asked) where o.asked;
end $$;

-- A wallet, or all slots of a house account as one: which slot pays says nothing about what a posting is.
create or replace function ledger_party(account bigint) returns bigint language sql immutable as $$
  select case when account < 0 then account / 100 else account end
$$;

-- What a posting under a used key comes to: the earlier result when amounts and accounts agree, else a refusal.
create or replace function ledger_repeated(p_posting int, p_earlier bigint, p_shape bigint[])
returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint)
language plpgsql stable as $$
#variable_conflict use_column
declare
  shape bigint[];
begin
  select array_agg(array[t.amount, ledger_party(t.debit_account), ledger_party(t.credit_account)] order by t.id) into shape
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'slotMove';
  if shape is distinct from p_shape then
    return query select p_posting, 'key_reused', null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  return query select p_posting, 'repeated', t.posting_id, t.id, t.debit_balance_after, t.credit_balance_after, null::bigint
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'slotMove' order by t.id;
end $$;

-- Posts one transfer without a key: the same result as ledger_post in the fewest statements.
create or replace function ledger_post_one(
  p_debit bigint, p_credit bigint, p_amount bigint, p_kind text, p_cause_type text, p_cause_id text, p_rule_version int, p_at timestamptz
) returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  debit_asset text;
  credit_asset text;
begin
  if p_amount <= 0 or p_debit = p_credit then
    raise exception 'ledger_post_one: % from % to % is no transfer', p_amount, p_debit, p_credit using errcode = 'check_violation';
  end if;
  -- Accounts are written in order of their numbers; the guarded update is the condition and the write in one statement.
  if p_credit < p_debit then
    update ledger_account a set balance = a.balance + p_amount, version = a.version + 1 where a.id = p_credit
    returning a.balance, a.asset into credit_after, credit_asset;
  end if;
  update ledger_account a set balance = a.balance - p_amount, version = a.version + 1
  where a.id = p_debit and a.balance >= a.min_balance + p_amount
  returning a.balance, a.asset into debit_after, debit_asset;
  if not found then
    if p_credit < p_debit then
      update ledger_account a set balance = a.balance - p_amount, version = a.version - 1 where a.id = p_credit;
    end if;
    if p_debit < 0 then
      return query select * from ledger_post(array[least(p_debit, p_credit), greatest(p_debit, p_credit)], array[1],
        array[case when p_debit < p_credit then 1 else 2 end], array[case when p_debit < p_credit then 2 else 1 end], array[p_amount], array[p_kind],
        array[p_cause_type], array[p_cause_id], array[p_rule_version], array[p_at], null, array[false], array[null::bigint]);
      return;
    end if;
    perform 1 from ledger_account a where a.id = p_debit;
    if not found then
      raise exception 'ledger_post_one: no such account: %', p_debit using errcode = 'foreign_key_violation';
    end if;
    posting := 1; outcome := 'short'; account := p_debit; debit_after := null; credit_after := null;
    return next;
    return;
  end if;
  if p_debit < p_credit then
    update ledger_account a set balance = a.balance + p_amount, version = a.version + 1 where a.id = p_credit
    returning a.balance, a.asset into credit_after, credit_asset;
  end if;
  if credit_asset is distinct from debit_asset then
    raise exception 'ledger_post_one: % from % to % is no transfer', p_amount, p_debit, p_credit using errcode = 'check_violation';
  end if;
  transfer_id := nextval('ledger_transfer_id_seq');
  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, rule_version, asset, kind, cause_type, cause_id)
  values (transfer_id, transfer_id, p_debit, p_credit, p_amount, debit_after, credit_after,
    p_at, p_rule_version, debit_asset, p_kind, p_cause_type, p_cause_id);
  posting := 1; outcome := 'posted'; posting_id := transfer_id;
  return next;
end $$;

-- Posts one transfer per row of the temporary table ledger_bulk, all out of one house account, and empties the table.
-- Each row is a posting of its own. Locks the house account and then the members' accounts in order of their numbers.
create or replace function ledger_post_bulk(
  p_pool bigint, p_wallet bigint, p_total bigint, p_kind text, p_cause_type text, p_rule_version int, p_at timestamptz
) returns bigint language plpgsql set enable_hashjoin = off as $$
declare
  pool ledger_account%rowtype;
  sum_found numeric;
  rows_found bigint;
  members bigint;
  credited bigint;
begin
  select coalesce(sum(amount), 0), count(*), count(distinct owner_id) into sum_found, rows_found, members from ledger_bulk;
  if sum_found <> p_total or rows_found <> members then
    raise exception 'ledger_post_bulk: % rows of % members add up to %, not to %', rows_found, members, sum_found, p_total
      using errcode = 'check_violation';
  end if;
  if rows_found = 0 then return 0; end if;
  select * into strict pool from ledger_account a where a.id = p_pool and a.id < 0 for no key update;
  if pool.balance - p_total < pool.min_balance then
    raise exception 'ledger_post_bulk: account % holds less than %', p_pool, p_total using errcode = 'TZ001';
  end if;
  perform 1 from (select a.id from ledger_account a join ledger_bulk b on a.id = b.owner_id * 16 + p_wallet
    where a.asset = pool.asset order by a.id for no key update of a) locked;
  with credit as (
    update ledger_account a set balance = a.balance + b.amount, version = a.version + 1
    from ledger_bulk b where a.id = b.owner_id * 16 + p_wallet and a.asset = pool.asset
    returning a.id, a.balance, b.amount, b.cause_id, b.key
  ), running as (
    select c.*, sum(c.amount) over (order by c.id rows unbounded preceding)::bigint as paid from credit c order by c.id
  ), numbered as (
    select nextval('ledger_transfer_id_seq') as transfer_id, r.* from running r
  )
  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, rule_version, asset, kind, cause_type, cause_id, key)
  select n.transfer_id, n.transfer_id, p_pool, n.id, n.amount, pool.balance - n.paid, n.balance,
    p_at, p_rule_version, pool.asset, p_kind, p_cause_type, n.cause_id, n.key
  from numbered n;
  get diagnostics credited = row_count;
  if credited <> rows_found then
    raise exception 'ledger_post_bulk: % of % members have the wallet', credited, rows_found using errcode = 'foreign_key_violation';
  end if;
  update ledger_account a set balance = a.balance - p_total, version = a.version + rows_found where a.id = p_pool;
  truncate ledger_bulk;
  return credited;
end $$;

-- Up to which id the transfers after another one lie before a moment, no posting cut in two. Ids and moments grow together,
-- but for transactions of the same second: where exactly it cuts between those does not matter, as a seal goes by ids.
create or replace function ledger_last_before(after_id bigint, moment timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := after_id;
  high bigint := (select coalesce(max(id), after_id) from ledger_transfer);
  middle bigint;
  found record;
  rest bigint;
begin
  while low < high loop
    middle := low + (high - low + 1) / 2;
    select id, created_at into found from ledger_transfer where id > low and id <= middle order by id desc limit 1;
    if found.id is not null and found.created_at >= moment then high := found.id - 1; else low := middle; end if;
  end loop;
  loop
    select max(id) into rest from ledger_transfer where posting_id > low - 100000 and posting_id <= low and posting_id <> id and id > low;
    exit when rest is null;
    low := rest;
  end loop;
  return low;
end $$;

-- A chained hash over transfers in order of ids: by stretches of 4,096, so that any number of them takes little memory.
create or replace function ledger_transfers_hash(after_id bigint, last_id bigint) returns text language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  chain bytea := '';
  part bytea;
  low bigint := after_id;
begin
  loop
    select sha256(convert_to(string_agg(row(t.id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
        (extract(epoch from created_at) * 1000000)::bigint, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key)::text,
        E'\n' order by t.id), 'UTF8')), max(t.id) into part, low
    from (select * from ledger_transfer where id > low and id <= last_id order by id limit 4096) t;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $$;

-- The same over the sealed balances, in order of accounts.
create or replace function ledger_balances_hash() returns text language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  chain bytea := '';
  part bytea;
  low bigint := -9223372036854775808;
begin
  loop
    select sha256(convert_to(string_agg(row(b.account, balance, version)::text, E'\n' order by b.account), 'UTF8')), max(b.account) into part, low
    from (select * from ledger_sealed_balance where account > low order by account limit 4096) b;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $$;

-- What a seal is: a hash over what it says, with the seal before it.
create or replace function ledger_seal_text(month date, after_id bigint, last_id bigint, transfers bigint, transfers_hash text, balances_hash text,
  previous text) returns text language sql immutable as $$
  select encode(sha256(convert_to(row(to_char(month, 'YYYY-MM'), after_id, last_id, transfers, transfers_hash, balances_hash, previous)::text, 'UTF8')), 'hex')
$$;

-- Seals a month: what was posted after the newest seal, up to an id behind which nothing can come any more.
create or replace function ledger_seal_month(p_month date, p_last_id bigint, p_at timestamptz) returns text language plpgsql as $$
declare
  before ledger_seal%rowtype;
  after_id bigint;
  posted bigint;
  made text;
begin
  select * into before from ledger_seal order by month desc limit 1;
  after_id := coalesce(before.last_id, 0);
  insert into ledger_sealed_balance as b (account, balance, version)
  select account, sum(amount)::bigint, count(*) from (
    select debit_account as account, -amount as amount from ledger_transfer where id > after_id and id <= p_last_id
    union all select credit_account, amount from ledger_transfer where id > after_id and id <= p_last_id) e
  group by account order by account
  on conflict (account) do update set balance = b.balance + excluded.balance, version = b.version + excluded.version;
  select count(*) into posted from ledger_transfer where id > after_id and id <= p_last_id;
  insert into ledger_seal (month, after_id, last_id, transfers, transfers_hash, balances_hash, previous, seal, sealed_at)
  select p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.seal, ''),
    ledger_seal_text(p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.seal, '')), p_at
  from (select ledger_transfers_hash(after_id, p_last_id) as transfers, ledger_balances_hash() as balances) h
  returning seal into made;
  return made;
end $$;

-- http/functions.sql
-- Locks keys of money calls for this transaction, and finds the answers that were given under them: one row a key, in order.
-- The look-up is a statement of its own, so that it sees what was committed before the lock was got. It asks for each key by
-- itself: a plan is kept for as long as a line lives, and one made while the table was small would read all of it ever after.
create or replace function idempotency_claim(members bigint[], operations text[], keys text[])
returns table (locked boolean, request_digest text, status int, answer text) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  locks boolean[];
begin
  select array_agg(pg_try_advisory_xact_lock(hashtextextended(c.member_id || ':' || c.operation || ':' || c.key, 5)) order by c.place) into locks
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place);
  return query select locks[c.place], i.request_digest, i.status, i.answer
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, place)
    left join lateral (select * from idempotency i
      where locks[c.place] and i.member_id = c.member_id and i.operation = c.operation and i.key = c.key limit 1) i on true
    order by c.place;
end $$;

-- modules/members/functions.sql
create or replace function keep_sponsor() returns trigger language plpgsql as $$
begin
  raise exception 'a sponsor is fixed at registration' using errcode = 'restrict_violation';
end $$;

-- A registration counts from its proof of the address on: before that it is nothing (RW-12).
create or replace function count_referral() returns trigger language plpgsql as $$
begin
  insert into member_referrals as held (member_id, direct_count) values (new.sponsor_id, new.is_verified::int * 2 - 1)
  on conflict (member_id) do update set direct_count = held.direct_count + excluded.direct_count;
  return null;
end $$;

-- The hash of an audit row (invariant I17): over its fields and the hash of the row before it.
create or replace function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, outcome text, ip text, request_id text, detail jsonb
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type,
    subject_id, reason, outcome, ip, request_id, detail)::text, 'UTF8')), 'hex')
$$;

-- modules/team/functions.sql
create or replace function keep_team_place() returns trigger language plpgsql as $$
begin
  raise exception 'a place in the team is fixed at registration' using errcode = 'restrict_violation';
end $$;

-- Gives a member the place below the sponsor; a member who has one keeps it. Runs for every new member, so that nobody
-- can have an account without a place.
create or replace function team_place(person bigint, sponsor bigint) returns void language plpgsql as $$
begin
  insert into team_member (member_id, sponsor_id, depth, jump_id, jump_depth)
  select person, s.member_id, s.depth + 1,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_id else s.member_id end,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_depth else s.depth end
  from team_member s join team_member j on j.member_id = s.jump_id where s.member_id = sponsor
  union all
  select person, null, 0, person, 0 where sponsor is null
  on conflict (member_id) do nothing;
end $$;
create or replace function place_member() returns trigger language plpgsql as $$
begin
  perform team_place(new.id, new.sponsor_id);
  return null;
end $$;

-- People count from the proof of their address on: a registration that nobody finished is nothing.
create or replace function count_in_team() returns trigger language plpgsql as $$
begin
  insert into team_delta (member_id, month, people)
  values (new.id, date_trunc('month', new.updated_at at time zone 'UTC')::date, new.is_verified::int * 2 - 1);
  return null;
end $$;

-- Whether `person` stands below `top`, or is `top`.
create or replace function team_is_within(top bigint, person bigint) returns boolean language plpgsql stable as $$
declare
  top_depth int;
  here team_member%rowtype;
begin
  select depth into top_depth from team_member where member_id = top;
  select * into here from team_member where member_id = person;
  if top_depth is null or here.member_id is null then
    return false;
  end if;
  while here.depth > top_depth loop
    if here.jump_depth >= top_depth then
      select * into here from team_member where member_id = here.jump_id;
    else
      select * into here from team_member where member_id = here.sponsor_id;
    end if;
  end loop;
  return here.member_id = top;
end $$;

-- The unfolded changes of each branch, down to the leaders that stand at `top_depth`. Few rows walk up a large table:
-- always by its index, never by reading all of it.
create or replace function team_pending(top_depth int)
returns table (member_id bigint, month date, people bigint, stake bigint, nft bigint, running bigint)
language sql stable set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with recursive own as (
    select d.member_id, d.month, sum(d.people)::bigint as people, sum(d.stake)::bigint as stake, sum(d.nft)::bigint as nft,
      sum(d.running)::bigint as running
    from team_delta d group by 1, 2
  ), up as (
    select t.sponsor_id as member_id, t.depth - 1 as depth, own.month, own.people, own.stake, own.nft, own.running
    from own join team_member t on t.member_id = own.member_id where t.depth > top_depth
    union all
    select t.sponsor_id, t.depth - 1, up.month, up.people, up.stake, up.nft, up.running
    from up join team_member t on t.member_id = up.member_id where t.depth > top_depth
  )
  select up.member_id, up.month, sum(up.people)::bigint, sum(up.stake)::bigint, sum(up.nft)::bigint, sum(up.running)::bigint
  from up group by 1, 2
$$;

-- Folds the oldest changes into the totals of everyone above.
-- Returns the leaders whose coin staked at the same time is, or was, `report_from` or more and changed.
create or replace function team_fold(batch int, report_from bigint) returns table (folded int, leader bigint, running bigint)
language sql set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  with recursive gone as (
    delete from team_delta where id in (select id from team_delta order by id limit batch)
    returning member_id, month, people, stake, nft, running
  ), own as (
    select gone.member_id, gone.month, sum(gone.people)::bigint as people, sum(gone.stake)::bigint as stake, sum(gone.nft)::bigint as nft,
      sum(gone.running)::bigint as running
    from gone group by 1, 2
  ), up as (
    select t.sponsor_id as member_id, own.month, own.people, own.stake, own.nft, own.running
    from own join team_member t on t.member_id = own.member_id where t.depth > 0
    union all
    select t.sponsor_id, up.month, up.people, up.stake, up.nft, up.running
    from up join team_member t on t.member_id = up.member_id where t.depth > 0
  ), gain as materialized (
    select up.member_id, up.month, sum(up.people)::bigint as people, sum(up.stake)::bigint as stake, sum(up.nft)::bigint as nft,
      sum(up.running)::bigint as running
    from up group by 1, 2
  ), totals as (
    insert into team_total as held (member_id, people, stake, running)
    select gain.member_id, sum(gain.people)::int, sum(gain.stake)::bigint, sum(gain.running)::bigint from gain group by 1 order by 1
    on conflict (member_id) do update
      set people = held.people + excluded.people, stake = held.stake + excluded.stake, running = held.running + excluded.running
    returning member_id, running
  ), changed as (
    select totals.member_id, totals.running, totals.running - sum(gain.running) as was
    from totals join gain on gain.member_id = totals.member_id group by 1, 2 having sum(gain.running) <> 0
  ), months as (
    insert into team_month as held (member_id, month, stake, nft)
    select gain.member_id, gain.month, gain.stake, gain.nft from gain where gain.stake <> 0 or gain.nft <> 0 order by 1, 2
    on conflict (member_id, month) do update set stake = held.stake + excluded.stake, nft = held.nft + excluded.nft
  )
  select (select count(*)::int from gone), changed.member_id, changed.running
  from (select 1) one left join changed on greatest(changed.running, changed.was) >= report_from
$$;

-- modules/auth/functions.sql
-- Sessions with whose they are, as every call asks for them: planned anew each time it would cost more to plan than to read.
-- By index always: a kept plan outlives the day on which its tables were small.
create or replace function sessions_by_id(ids bigint[]) returns table ("sessionId" bigint, "endedAt" timestamptz, "endReason" text,
  "lastSeenAt" timestamptz, "idleSeconds" int, "expiresAt" timestamptz, "memberId" bigint, "publicId" text, email text, "isVerified" boolean,
  "isActive" boolean, role text, "isSpecialRcm" boolean, "provedFactor" boolean) language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select s.id, s.ended_at, s.end_reason, s.last_seen_at, s.idle_seconds, s.expires_at, m.id, m.public_id, m.email,
    m.is_verified and (m.password_proved or s.address_proved), m.is_active, m.role, m.is_special_rcm,
    m.second_factor and s.second_factor_at is not null
  from session s join member m on m.id = s.member_id where s.id = any (ids);
end $$;

-- modules/rewards/functions.sql
-- A share of an amount, rounded down to the unit (invariant I19).
create or replace function reward_share(amount bigint, percent bigint) returns bigint language sql immutable as $$
  select (amount / 1000000) * (percent / 10000) + (amount % 1000000) * (percent / 10000) / 1000000
$$;

-- When the n-th step after a moment falls: n x 24 hours later (RW-03), or the same day n months later, or that month's last
-- one (RW-06). Counted in UTC, where a day has 24 hours, so that it is immutable to the letter and becomes part of the
-- statement that asks: a call for each row would take a run half as long again.
create or replace function reward_step(monthly boolean, starts_at timestamptz, n int) returns timestamptz language sql immutable as $$
  select ((starts_at at time zone 'UTC') + n * case when monthly then interval '1 month' else interval '1 day' end) at time zone 'UTC'
$$;
-- Which members' facts are the rows of a bounty list, in list order, from the `first_row`-th on: descends only into
-- branches that hold wanted rows.
create or replace function reward_rows_below(run bigint, in_stream smallint, top bigint, level int, first_row bigint, wanted bigint)
returns table (source_member bigint, first_fact bigint, facts bigint) language plpgsql stable as $$
declare
  below record;
  rows_there bigint;
  skipping bigint := first_row;
  missing bigint := wanted;
  taken bigint;
begin
  for below in select c.member_id, c.n0, c.n1, c.n2, c.n3, c.n4 from reward_credit c
    where c.run_id = run and c.stream = in_stream and c.sponsor_id = top order by c.member_id
  loop
    exit when missing <= 0;
    rows_there := case level when 1 then below.n0 when 2 then below.n1 when 3 then below.n2 when 4 then below.n3 else below.n4 end;
    if skipping >= rows_there then
      skipping := skipping - rows_there;
      continue;
    end if;
    taken := least(rows_there - skipping, missing);
    if level = 1 then
      source_member := below.member_id;
      first_fact := skipping;
      facts := taken;
      return next;
    else
      return query select * from reward_rows_below(run, in_stream, below.member_id, level - 1, skipping, taken);
    end if;
    missing := missing - taken;
    skipping := 0;
  end loop;
end $$;

-- Reward runs at a million stakes: no temporary tables, each row read as few times as its figures need.

-- Sums of 64-bit integers that stay 64-bit, and are refused when they do not fit; the built-in sum carries numeric, which
-- takes three times the memory of a group and as much time.
create or replace aggregate reward_add(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

-- Sums a run's facts up the tree into one credit a member. One level after the
-- other: no step looks at more rows than there are members with a reward below.
-- Statistics know nothing of a run that has just been written: its size decides how tables are joined, not the planner's
-- guess. Of a large run every table is read once, of a small one only its own rows by index.
-- Several lanes share the credits out by blocks of member ids, so that each has pages of its own: each adds up, and writes its share.
create or replace function reward_sum_run(run bigint, share bigint, shares bigint) returns void language plpgsql
set plan_cache_mode = force_custom_plan set enable_nestloop = on set enable_hashjoin = on set enable_mergejoin = on as $$
begin
  if (select facts from reward_run where id = run) > 5000 then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Planning takes longer than a small run: its plan is kept. No large run uses it, so it is made under these settings only.
    perform set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true);
  end if;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
  with rate as materialized (
    select version, v.stream, v.b[1] as b1, v.b[2] as b2, v.b[3] as b3, v.b[4] as b4, v.b[5] as b5
    from reward_programme cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), own as materialized (
    select s.*, t.sponsor_id from (
      -- Each share is rounded down by itself before it is summed (invariant I19).
      select f.member_id, f.stream, count(*)::int as n, reward_add(f.amount) as daily,
        reward_add(reward_share(f.amount, r.b1)) as b1, reward_add(reward_share(f.amount, r.b2)) as b2, reward_add(reward_share(f.amount, r.b3)) as b3,
        reward_add(reward_share(f.amount, r.b4)) as b4, reward_add(reward_share(f.amount, r.b5)) as b5
      from reward_fact f join rate r on r.version = f.programme_version and r.stream = f.stream
      where f.run_id = run group by 1, 2
    ) s join team_member t on t.member_id = s.member_id
  ), sum_1 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b1) as b1, reward_add(b2) as b2, reward_add(b3) as b3,
      reward_add(b4) as b4, reward_add(b5) as b5 from own where sponsor_id is not null group by 1, 2
  ), level_1 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_1 s
  ), sum_2 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b2) as b2, reward_add(b3) as b3, reward_add(b4) as b4,
      reward_add(b5) as b5 from level_1 where sponsor_id is not null group by 1, 2
  ), level_2 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_2 s
  ), sum_3 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b3) as b3, reward_add(b4) as b4, reward_add(b5) as b5
    from level_2 where sponsor_id is not null group by 1, 2
  ), level_3 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_3 s
  ), sum_4 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b4) as b4, reward_add(b5) as b5
    from level_3 where sponsor_id is not null group by 1, 2
  ), level_4 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_4 s
  ), sum_5 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b5) as b5 from level_4 where sponsor_id is not null group by 1, 2
  ), level_5 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_5 s
  ), team as materialized (
    select stream, member_id, max(sponsor_id) as sponsor_id, max(n1) as n1, max(n2) as n2, max(n3) as n3, max(n4) as n4, max(n5) as n5,
      max(b1) as b1, max(b2) as b2, max(b3) as b3, max(b4) as b4, max(b5) as b5
    from (
      -- At most one part of a level for each member, so that the largest is the only one.
      select stream, member_id, sponsor_id, n as n1, 0 as n2, 0 as n3, 0 as n4, 0 as n5, b1, 0::bigint as b2, 0::bigint as b3, 0::bigint as b4,
        0::bigint as b5 from level_1
      union all select stream, member_id, sponsor_id, 0, n, 0, 0, 0, 0, b2, 0, 0, 0 from level_2
      union all select stream, member_id, sponsor_id, 0, 0, n, 0, 0, 0, 0, b3, 0, 0 from level_3
      union all select stream, member_id, sponsor_id, 0, 0, 0, n, 0, 0, 0, 0, b4, 0 from level_4
      union all select stream, member_id, sponsor_id, 0, 0, 0, 0, n, 0, 0, 0, 0, b5 from level_5
    ) parts group by 1, 2
  ), line as (
    -- A full join is hashed or merged at any size; both sides are this run's own rows.
    select stream, member_id, coalesce(o.sponsor_id, t.sponsor_id, 0) as sponsor_id, coalesce(o.n, 0) as n0, coalesce(t.n1, 0) as n1,
      coalesce(t.n2, 0) as n2, coalesce(t.n3, 0) as n3, coalesce(t.n4, 0) as n4, coalesce(t.n5, 0) as n5, coalesce(o.daily, 0) as daily,
      coalesce(t.b1, 0) as b1, coalesce(t.b2, 0) as b2, coalesce(t.b3, 0) as b3, coalesce(t.b4, 0) as b4, coalesce(t.b5, 0) as b5
    from (select * from own where member_id / 1024 % shares = share) o
    full join (select * from team where member_id / 1024 % shares = share) t using (member_id, stream)
  )
  select run, l.stream, l.member_id, l.sponsor_id, g.ok, n0, n1, n2, n3, n4, n5, daily, b1 * g.part, b2 * g.part, b3 * g.part, b4 * g.part,
    b5 * g.part, daily + (b1 + b2 + b3 + b4 + b5) * g.part
  from line l left join member m on m.id = l.member_id and not (m.is_verified and m.is_active)
  cross join lateral (select m.id is null as ok, case when m.id is null then 1 else 0 end as part) g
  -- In the order of the index of all runs, so that each of its pages is touched once.
  order by l.member_id;
end $$;

-- A fingerprint of everything that a run pays, independent of order: how many lines, the sum of their chained hashes, and
-- the sum of their amounts.
create or replace function reward_fingerprint(run bigint) returns text language sql stable as $$
  with line as (
    select hashint8extended(source_id, hashint8extended(member_id, hashint8extended(amount,
      hashint8extended(ordinal::bigint * 4 + stream, programme_version)))) as h, amount
    from reward_fact where run_id = run
    union all
    select hashint8extended(member_id, hashint8extended(daily, hashint8extended(b1, hashint8extended(b2, hashint8extended(b3,
      hashint8extended(b4, hashint8extended(b5, stream))))))), amount
    from reward_credit where run_id = run
  )
  select encode(sha256(convert_to(count(*) || ':' || coalesce(sum(h), 0) || ':' || coalesce(sum(amount), 0), 'UTF8')), 'hex') from line
$$;

-- Whoever is blocked is promised nothing, and what is held is promised again from the moment on which the block ends, covered
-- or not: it is a debt of the house, and where it is not covered, sales pause until it is.
create or replace function reward_promise_again() returns trigger language plpgsql as $$
begin
  with held as (
    select id from reward_instant
    where beneficiary_id = new.id and status = 'held' and promised <> (new.is_verified and new.is_active) order by id for update
  ), changed as (
    update reward_instant i set promised = not i.promised from held where i.id = held.id
    returning i.kind, i.release_at, case when i.promised then i.amount - i.reversed else i.reversed - i.amount end as amount
  )
  insert into reward_promise_pending (kind, step, starts_at, times, amount)
  select kind, 'day', min(release_at) - interval '1 day', 1, sum(amount)::bigint from changed
  group by kind, (release_at at time zone 'UTC')::date;
  return null;
end $$;

-- What is promised of an asset and what stands against it. Whatever was promised stands in one of the two until it is paid or
-- falls away, however late the runs are. Every group of sales asks for it: planned anew each time it would cost more to plan
-- than to read. As a kept plan outlives the day on which its tables were small, it goes by the indexes.
create or replace function reward_coverage(of_asset text)
returns table (enforced boolean, committed bigint, pool bigint, promised bigint, owed bigint) language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  kinds constant text[] := case of_asset when 'USD' then array['nft-monthly', 'nft-profit-bounty', 'nft-level']
    else array['daily', 'profit-bounty', 'stake-log', 'stake-log-bounty', 'referral', 'level', 'rank'] end;
  account constant bigint := ledger_account_number(null, 'SYS-REWARD', of_asset, 0);
begin
  return query select p.coverage_mode <> 'observe', case of_asset when 'COIN' then p.committed_coin else p.committed_usd end,
    (select coalesce(sum(a.balance), 0)::bigint from ledger_account a where a.id between account - 99 and account),
    ((select coalesce(sum(r.amount), 0) from reward_promise r where r.kind = any (kinds))
      + (select coalesce(sum(r.amount::numeric * r.times), 0) from reward_promise_pending r where r.run_id is null and r.kind = any (kinds)))::bigint,
    ((select coalesce(sum(r.total - r.paid), 0) from reward_payment r where r.paid < r.total and (r.stream = 2) = (of_asset = 'USD'))
      + (select coalesce(sum(r.amount - r.reversed), 0) from reward_instant r where r.status = 'owed' and r.asset = of_asset))::bigint
  from reward_policy p order by p.id desc limit 1;
end $$;

-- Writes down sources that have just been sold (rows of reward_source as JSON, in order), holds their level rewards (RW-02,
-- RW-07) and promises those: of each source, for the five above its buyer who earn, by the programme that it names, rounded
-- down. Whoever does not earn keeps the place in the line. `levelReward` and `shareOf` say the same of one reward. One
-- statement, whose plan is kept: planning it for each group of sales, and its parts one by one, took longer than running it.
create or replace function reward_open_sources(sales json, held_at timestamptz, leaves_at timestamptz) returns void
language plpgsql set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  with recursive written as (
    insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, times, starts_at, programme_version)
    select stream, public_id, label, member_id, principal, percent, amount, bounty, times, starts_at, programme_version
    from json_populate_recordset(null::reward_source, sales)
    returning id, stream, public_id, member_id, principal, times, programme_version
  ), sold as materialized (
    select s.id, s.public_id, s.member_id, s.principal, s.programme_version, s.stream = 2 as is_nft,
      case s.stream when 0 then p.level_percents when 1 then p.stake_log_level_percents else p.nft_level_percents end as percents,
      case s.stream when 2 then 1 else least(s.times, p.full_level_share_days) end as days, case s.stream when 2 then 1 else p.full_level_share_days end as full_days
    from written s join reward_programme p on p.version = s.programme_version
  ), line as (
    select distinct member_id as below, member_id as place, 0 as level from sold
    union all
    select line.below, t.sponsor_id, line.level + 1 from line
    -- One by one: a join of some hundred people would read everybody.
    cross join lateral (select sponsor_id from team_member where member_id = line.place limit 1) t
    where t.sponsor_id is not null and line.level < 5
  ), held as (
    insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
      amount, asset, programme_version, status, created_at, release_at)
    select case when s.is_nft then 'nft-level' else 'level' end, line.place, s.member_id, 'source', s.id, s.public_id, s.principal, line.level,
      s.principal, s.percents[line.level], share.amount, case when s.is_nft then 'USD' else 'COIN' end, s.programme_version, 'held', held_at, leaves_at
    from sold s join line on line.below = s.member_id and line.level > 0
    cross join lateral (select is_verified and is_active as ok from member where id = line.place limit 1) earns
    cross join lateral (select div(s.principal::numeric * s.percents[line.level] * s.days, 10000000000::numeric * s.full_days)::bigint as amount) share
    where earns.ok and share.amount > 0 order by s.id, line.level
    returning kind, amount
  )
  insert into reward_promise_pending (kind, step, starts_at, times, amount)
  select kind, 'day', leaves_at - interval '24 hours', 1, sum(amount)::bigint from held group by kind;
end $$;

-- The held referral rewards that coin which members gave back stands on, newest purchase first, with what is left of each and what
-- those before it have taken already. It reads no further than the coin goes, however many rewards are held: a sort would read all
-- of a member's, and looks cheaper to the planner as soon as it knows how they lie.
create or replace function reward_newest_held(members bigint[], coins bigint[], at timestamptz)
returns table (id bigint, given bigint, before bigint) language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  place int;
  found record;
  taken bigint;
begin
  for place in 1 .. cardinality(members) loop
    taken := 0;
    for found in select r.id, r.base - r.base_back as rest from reward_instant r
      where r.source_member_id = members[place] and r.kind = 'referral' and r.status = 'held' and r.release_at > at
      order by r.id desc
    loop
      exit when taken >= coins[place];
      id := found.id;
      given := coins[place];
      before := taken;
      return next;
      taken := taken + found.rest;
    end loop;
  end loop;
end $$;

-- Takes held referral rewards back, pro rata to the coin that members gave back, rounded up (invariant I19), newest purchase
-- first; or of one purchase, all that is left. What falls away of them leaves the forecast. Planned once a line, by index always.
create or replace function reward_take_back(members bigint[], coins bigint[], at timestamptz, purchase bigint)
returns table ("memberId" bigint, "beneficiaryId" bigint, coin bigint, back bigint, amount bigint, "createdAt" timestamptz, tallied boolean, fell boolean)
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  ids bigint[];
  givens bigint[];
  befores bigint[];
begin
  if purchase is null then
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from reward_newest_held(members, coins, at) l;
  else
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from (
      select r.id, g.coin as given, (sum(r.base - r.base_back) over (partition by g.id order by r.id desc) - (r.base - r.base_back))::bigint as before
      from unnest(members, coins) g (id, coin) join reward_instant r on r.source_member_id = g.id
      where r.kind = 'referral' and r.status = 'held' and r.cause_type = 'coin_purchase' and r.cause_id = purchase) l;
  end if;
  if ids is null then return; end if;
  return query with held as (
    select i.id, i.reversed, least(i.base - i.base_back, l.given - l.before)::bigint as coin
    from unnest(ids, givens, befores) l (id, given, before) join reward_instant i on i.id = l.id
    where l.before < l.given and i.status = 'held' order by i.id desc for update of i
  ), changed as (
    update reward_instant i set base_back = i.base_back + t.coin,
      reversed = ceil(i.amount::numeric * (i.base_back + t.coin) / i.base)::bigint,
      status = case when ceil(i.amount::numeric * (i.base_back + t.coin) / i.base) >= i.amount then 'reversed' else 'held' end
    from held t where i.id = t.id and t.coin > 0
    returning i.id, i.source_member_id, i.beneficiary_id, t.coin, i.reversed - t.reversed as back, i.amount, i.created_at, i.tallied, i.release_at,
      i.promised, i.status = 'reversed' as fell
  ), forecast as (
    insert into reward_promise_pending (kind, step, starts_at, times, amount)
    select 'referral', 'day', min(c.release_at) - interval '1 day', 1, -sum(c.back)::bigint from changed c where c.promised and c.back > 0
    group by (c.release_at at time zone 'UTC')::date
  )
  select c.source_member_id, c.beneficiary_id, c.coin, c.back, c.amount, c.created_at, c.tallied, c.fell from changed c order by c.id;
end $$;

-- Counts bought coin, and holds the buyers' rows until the transaction ends: their figures after it, and the sponsor, if there
-- is one who earns. Planned once a line, by index always.
create or replace function reward_count_bought(members bigint[], coins bigint[])
returns table (id bigint, kept bigint, mark bigint, "sponsorId" bigint) language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query with counted as (
    insert into reward_mark as m (member_id, kept, mark) select b.id, b.coin, 0 from unnest(members, coins) b (id, coin) order by b.id
    on conflict (member_id) do update set kept = m.kept + excluded.kept returning m.member_id, m.kept, m.mark
  )
  select c.member_id, c.kept, c.mark, s.id from counted c
  -- One by one: a join of some hundred people would read everybody.
  left join lateral (select sponsor_id from team_member where member_id = c.member_id limit 1) t on true
  left join lateral (select m.id from member m where m.id = t.sponsor_id and m.is_verified and m.is_active limit 1) s on true;
end $$;

-- modules/coin/functions.sql
create or replace function coin_purchase_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'buy-token', case when r.undone_at is null then '' else 'UNDONE' end, count(*), sum(r.coin_amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function coin_purchase_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'buy-token' as list, case when new.undone_at is null then '' else 'UNDONE' end as bucket, 1 as rows, new.coin_amount as amount
    union all select old.member_id, 'buy-token', case when old.undone_at is null then '' else 'UNDONE' end, -1, -old.coin_amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/staking/functions.sql
-- The plans as they are at a moment: by the newest of their planned figures that has begun, else by their own.
create or replace function stake_plans_at(at timestamptz) returns table (id bigint, public_id text, name text, duration_days int, minimum bigint,
  apy bigint, is_omega boolean, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.name, p.name), coalesce(n.duration_days, p.duration_days), coalesce(n.minimum, p.minimum),
    coalesce(n.apy, p.apy), coalesce(n.is_omega, p.is_omega), coalesce(n.status, p.status), p.created_at, p.starts_at
  from stake_plan p
  left join lateral (select * from stake_plan_next n where n.plan_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;

-- Plans that somebody buys by, as they are at a moment, held still until the sale stands: in the order of their ids, so that
-- nobody waits in a circle. What is planned is read by itself, after the wait for the row. Planned once a line, by index always.
create or replace function stake_plans_for_sale(ids text[], at timestamptz) returns table (id bigint, public_id text, name text,
  duration_days int, minimum bigint, apy bigint, is_omega boolean, status text, created_at timestamptz, starts_at timestamptz) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from stake_plan p where p.public_id = any (ids) order by p.id for share;
  return query select p.* from stake_plans_at(at) p where p.public_id = any (ids);
end $$;

create or replace function stake_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, case when not r.is_omega then 'stake' when r.is_omega then 'stake-log' end, r.status, count(*), sum(r.amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function stake_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when not new.is_omega then 'stake' when new.is_omega then 'stake-log' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when not old.is_omega then 'stake' when old.is_omega then 'stake-log' end, old.status, -1, -old.amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/nfts/functions.sql
-- The NFTs as they are at a moment: by the newest of their planned figures that has begun, else by their own.
create or replace function nfts_at(at timestamptz) returns table (id bigint, public_id text, kind text, name text, title text, price bigint,
  duration_months int, total_percent bigint, status text, created_at timestamptz, starts_at timestamptz) language sql stable as $$
  select p.id, p.public_id, coalesce(n.kind, p.kind), coalesce(n.name, p.name), coalesce(n.title, p.title), coalesce(n.price, p.price),
    coalesce(n.duration_months, p.duration_months), coalesce(n.total_percent, p.total_percent), coalesce(n.status, p.status), p.created_at, p.starts_at
  from nft p
  left join lateral (select * from nft_next n where n.nft_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$$;

-- Takes units of kinds, all or none (CO-22 to CO-25). It holds their rows in the order of their names.
create or replace function nft_take_supply(kinds text[], units int[]) returns void language plpgsql as $$
declare
  taken int;
begin
  update nft_supply s set sold = s.sold + held.units from (
    select n.kind, w.units from nft_supply n join unnest(kinds, units) w (kind, units) on w.kind = n.kind order by n.kind for no key update of n
  ) held where s.kind = held.kind and s.sold + held.units <= s.cap;
  get diagnostics taken = row_count;
  if taken < cardinality(kinds) then
    raise exception 'nft_take_supply: sold out' using errcode = 'TZ002';
  end if;
end $$;

-- NFTs that somebody buys, as they are at a moment, held still until the sale stands: in the order of their ids, so that nobody
-- waits in a circle. What is planned is read by itself, after the wait for the row. Planned once a line, by index always.
create or replace function nfts_for_sale(ids text[], at timestamptz) returns table (id bigint, public_id text, kind text, name text, title text,
  price bigint, duration_months int, total_percent bigint, status text, created_at timestamptz, starts_at timestamptz) language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  perform from nft n where n.public_id = any (ids) order by n.id for share;
  return query select n.* from nfts_at(at) n where n.public_id = any (ids);
end $$;

create or replace function nft_purchase_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'nft-purchase', case when r.status = 'UNDONE' then r.status else r.kind end, count(*), sum(r.price) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function nft_purchase_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'nft-purchase' as list, case when new.status = 'UNDONE' then new.status else new.kind end as bucket, 1 as rows, new.price as amount
    union all select old.member_id, 'nft-purchase', case when old.status = 'UNDONE' then old.status else old.kind end, -1, -old.price) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/deposits/functions.sql
create or replace function deposit_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'deposit', r.status, count(*), sum(r.usd_amount - r.reversed_usd) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function deposit_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'deposit' as list, new.status as bucket, 1 as rows, new.usd_amount - new.reversed_usd as amount
    union all select old.member_id, 'deposit', old.status, -1, -old.usd_amount - old.reversed_usd) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/withdrawals/functions.sql
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

create or replace function payout_request_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, case when r.kind = 'withdrawal' then 'withdrawal' when r.kind = 'bridge' then 'bridge' end, r.status, count(*), sum(r.amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function payout_request_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when new.kind = 'withdrawal' then 'withdrawal' when new.kind = 'bridge' then 'bridge' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when old.kind = 'withdrawal' then 'withdrawal' when old.kind = 'bridge' then 'bridge' end, old.status, -1, -old.amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/transfers/functions.sql
create or replace function wallet_exchange_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'exchange', '', count(*), sum(r.amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;
create or replace function wallet_exchange_recounted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'exchange' as list, '' as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, 'exchange', '', -1, -old.amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/support/functions.sql
create or replace function ticket_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'ticket', '', count(*), sum(0) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/staff/functions.sql
-- What was proposed and what was decided never changes; what is planned may end before it begins.
create or replace function keep_staff_change() returns trigger language plpgsql as $$
begin
  -- A rotation of the key seals the same anew.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'maker_seal' = to_jsonb(old) - 'maker_seal' then return new; end if;
  if tg_op = 'UPDATE' and (new.id, new.public_id, new.subject, new.value, new.base, new.reason, new.proposed_by, new.created_at, new.starts_at, new.effect, new.simulation, new.maker_seal)
      is not distinct from (old.id, old.public_id, old.subject, old.value, old.base, old.reason, old.proposed_by, old.created_at, old.starts_at, old.effect, old.simulation, old.maker_seal)
    and (old.status = 'PENDING' or (old.status = 'APPROVED' and old.starts_at is not null and new.status in ('CANCELLED', 'OUTDATED')
      and (new.decided_by, new.decided_at, new.decision_reason) is not distinct from (old.decided_by, old.decided_at, old.decision_reason))) then
    return new;
  end if;
  raise exception 'a proposed change is fixed, and decided once' using errcode = 'restrict_violation';
end $$;

-- ledger/views.sql
-- The two signed entries of each transfer.
create view ledger_entry as
  select id as transfer_id, posting_id, debit_account as account_id, -amount as amount, debit_balance_after as balance_after,
    credit_account as other_account_id, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer
  union all
  select id, posting_id, credit_account, amount, credit_balance_after,
    debit_account, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer;

-- modules/rewards/views.sql
-- How far the rewards of a stake or NFT are, for those who sold it: it is named by the id that members know.
create view reward_progress as
  select public_id, counted, times, distributed, distributed_at from reward_source;

set local check_function_bodies = on;
select case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
from pg_proc p join pg_language l on l.oid = p.prolang
where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and l.lanname in ('sql', 'plpgsql');
