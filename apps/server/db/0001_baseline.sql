-- The schema that a database begins with. Made by `npm run db:make` out of the rooms' SQL files. Do not edit.

set local check_function_bodies = off;

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

-- ledger/schema.sql
-- Balances and facts are read by key wherever history and figures are shown; only the ledger's functions write them.
-- published: ledger_account, ledger_transfer, ledger_reversal

-- The double-entry ledger (RW-13, invariants I1-I3): accounts with balances, transfers that are never changed, and the
-- functions that post. Amounts are bigint units of 10^-8.

-- Balances. Pages are kept part empty and no index holds a balance, so that a new balance stays on its page (HOT).
create table ledger_account (
  id bigint primary key,
  owner_id bigint,
  balance bigint not null default 0,
  min_balance bigint not null default 0,
  version bigint not null default 0,
  slot int not null default 0,
  asset text not null check (asset in ('USD', 'COIN')),
  kind text not null,
  constraint ledger_account_number_fits check (id is not distinct from ledger_account_number(owner_id, kind, asset, slot)),
  constraint ledger_account_covered check (balance >= min_balance),
  constraint ledger_account_member_owes_nothing check (owner_id is null or min_balance = 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
comment on column ledger_account.owner_id is 'member id; null for the house';
comment on column ledger_account.min_balance is 'how far the balance may fall: 0 for whoever may not owe';
comment on column ledger_account.version is 'number of transfers on the account';

-- One row a movement, with both balances after it.
create table ledger_transfer (
  id bigint generated by default as identity primary key,
  posting_id bigint not null,
  debit_account bigint not null,
  credit_account bigint not null,
  amount bigint not null check (amount > 0),
  debit_balance_after bigint not null,
  credit_balance_after bigint not null,
  created_at timestamptz not null,
  resolves bigint,
  rule_version int,
  pending boolean not null default false,
  asset text not null,
  kind text not null,
  cause_type text not null,
  cause_id text not null,
  key text,
  check (debit_account <> credit_account)
);
comment on column ledger_transfer.posting_id is 'id of the first transfer of those that were posted together';
comment on column ledger_transfer.pending is 'puts an amount on hold';
comment on column ledger_transfer.resolves is 'the hold that this transfer ends, in whole or as one of its legs';
comment on column ledger_transfer.key is 'at most one posting has it; on its first transfer';
create index ledger_transfer_by_debit on ledger_transfer (debit_account, id);
create index ledger_transfer_by_credit on ledger_transfer (credit_account, id);
create unique index ledger_transfer_by_key on ledger_transfer (key) where key is not null;
create index ledger_transfer_by_posting on ledger_transfer (posting_id) where posting_id <> id;
-- Staff ask an account for one kind; the kinds of every day are found by walking the account, and cost no index.
create index ledger_transfer_by_rare_kind on ledger_transfer (kind, id) where kind not in ('buyToken', 'stake', 'nftPurchase',
  'stakeRewards', 'stakeLogRewards', 'nftRewards', 'referralReward', 'levelReward', 'nftLevelBonus', 'userToUser', 'slotMove');
create index ledger_transfer_by_hold on ledger_transfer (resolves) where resolves is not null;
create trigger ledger_transfer_append_only before update or delete or truncate on ledger_transfer
  for each statement execute function ledger_refuse_change();
alter table ledger_transfer enable always trigger ledger_transfer_append_only;
create trigger ledger_account_stays before delete or truncate or update of id, owner_id, kind, asset, slot, min_balance on ledger_account
  for each statement execute function ledger_refuse_change();
alter table ledger_account enable always trigger ledger_account_stays;

-- The house's accounts. Those that stand for the outside may owe; SYS-ISSUE at most the supply of 15 B coin (I9).
insert into ledger_account (id, kind, asset, slot, min_balance)
select ledger_account_number(null, h.kind, a.asset, s.slot), h.kind, a.asset, s.slot,
  case h.owes when 'nothing' then 0 when 'supply' then -1500000000000000000 else -9223372036854775807 end
from (values ('SYS-ISSUE', 1, 'supply'), ('SYS-DEPOSIT', 16, 'any'), ('SYS-WITHDRAW', 16, 'nothing'), ('SYS-BRIDGE', 16, 'nothing'),
    ('SYS-FEE', 16, 'nothing'), ('SYS-SALES', 16, 'nothing'), ('SYS-COIN', 16, 'nothing'), ('SYS-CONVERT', 16, 'any'),
    ('SYS-REWARD', 8, 'nothing'), ('SYS-HOLD', 16, 'nothing'), ('SYS-OPERATOR', 1, 'any'),
    ('SYS-GAS', 1, 'nothing')) h (kind, slots, owes)
  cross join (values ('USD'), ('COIN')) a (asset)
  cross join lateral generate_series(0, h.slots - 1) s (slot)
where a.asset = 'COIN' or h.kind not in ('SYS-ISSUE', 'SYS-COIN');

-- The supply: 15,000,000,000 coin, issued once (CO-21), in equal parts to the slots of the stock.
do $$
begin
  for slot in 0 .. 15 loop
    perform ledger_post_one(ledger_account_number(null, 'SYS-ISSUE', 'COIN', 0), ledger_account_number(null, 'SYS-COIN', 'COIN', slot),
      93750000000000000, 'issue', 'supply', '1', null, '2026-01-01 00:00:00+00');
  end loop;
end $$;

-- Which transfer took which one back: each once, and whole.
create table ledger_reversal (
  reverses bigint primary key,
  reversed_by bigint not null unique,
  -- The change in which one proposed it and another one approved.
  change_id text not null unique,
  created_at timestamptz not null,
  check (reversed_by > reverses)
);
create index ledger_reversal_by_time on ledger_reversal (created_at);
create trigger ledger_reversal_append_only before update or delete or truncate on ledger_reversal
  for each statement execute function ledger_refuse_change();
alter table ledger_reversal enable always trigger ledger_reversal_append_only;

-- While a row of it is not lifted, nothing is paid out or credited (stop.ts).
create table ledger_stop (
  id bigint generated always as identity primary key,
  since timestamptz not null,
  why text not null check (why <> ''),
  lifted_at timestamptz
);
create unique index ledger_stop_in_force on ledger_stop ((true)) where lifted_at is null;

-- Months that are over: which transfers they had, by a chained hash, and what all accounts held at the end. What came later
-- is checked against that and not against everything before it (seals.ts). Each seal covers the one before it.
create table ledger_seal (
  month date primary key check (extract(day from month) = 1),
  -- Its transfers have ids above the first, up to the second one.
  after_id bigint not null,
  last_id bigint not null check (last_id >= after_id),
  transfers bigint not null,
  transfers_hash text not null,
  balances_hash text not null,
  previous text not null,
  seal text not null unique,
  sealed_at timestamptz not null
);
create trigger ledger_seal_append_only before update or delete or truncate on ledger_seal
  for each statement execute function ledger_refuse_change();
alter table ledger_seal enable always trigger ledger_seal_append_only;

-- What each account held when the newest seal was made, added up from its transfers; the seal has the hash of all of it.
create table ledger_sealed_balance (
  account bigint primary key,
  balance bigint not null,
  version bigint not null
) with (fillfactor = 50);

-- ledger/views.sql
-- The two signed entries of each transfer.
create view ledger_entry as
  select id as transfer_id, posting_id, debit_account as account_id, -amount as amount, debit_balance_after as balance_after,
    credit_account as other_account_id, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer
  union all
  select id, posting_id, credit_account, amount, credit_balance_after,
    debit_account, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer;

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

-- http/schema.sql
-- Answers of money calls by idempotency key (invariant I5). A row exists only together with its effect.
create table idempotency (
  member_id bigint not null,
  operation text not null,
  key text not null,
  request_digest text not null,
  status int not null,
  answer text not null,
  created_at timestamptz not null,
  primary key (member_id, operation, key)
);
create index idempotency_by_age on idempotency (created_at);

-- Counters of request limits (API-17): one row per key and window.
create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  hits int not null
);
create index rate_limit_by_age on rate_limit (window_start);

-- jobs/schema.sql
-- Whoever watches the house reads how commands ended.
-- published: command_run

-- One row per recurring sweep of the worker: who runs it until when, and how the last run ended.
create table job_lease (
  name text primary key,
  holder text,
  token bigint not null default 0,
  held_until timestamptz,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  -- Since when each run failed, and how many of them.
  failing_since timestamptz,
  tries int not null default 0
);

-- How the last run of a command ended that somebody has to run now and then (audit, backup).
create table command_run (
  name text primary key,
  finished_at timestamptz not null,
  good boolean not null,
  detail text not null
);

-- Long work that a person asked for. The worker does it in steps, each in one transaction that also says how far it is, so
-- that a restart repeats nothing and loses nothing.
create table background_job (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null,
  owner_id bigint not null,
  input jsonb not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED')),
  -- Where the next step goes on; the kind's own.
  place jsonb,
  done bigint not null default 0,
  total bigint not null default 0,
  tries int not null default 0,
  result jsonb,
  error text,
  file_name text,
  file_type text,
  parts int not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((state in ('DONE', 'FAILED')) = (finished_at is not null))
);
create index background_job_open on background_job (id) where finished_at is null;
create index background_job_by_owner on background_job (owner_id, id);
create index background_job_finished on background_job (finished_at);
-- What a job wrote into its file so far, in order.
create table background_job_part (
  job_id bigint not null references background_job (id) on delete cascade,
  number int not null,
  content bytea not null,
  primary key (job_id, number)
);
alter table background_job_part alter column content set storage external;

-- gateways/chain/schema.sql
-- What the network took for moves is booked with what it took for payouts.
-- Staff see what other tokens came to the address of a deposit.
-- published: chain_move, chain_strange

-- What the watcher knows of the real chain (BEP20 tokens). Nothing here is money: deposits credit what is final.

-- Addresses that were ever shown to somebody, each for one invoice for ever. `place` is the index below the extended public key.
create sequence chain_address_place as int minvalue 0;
create table chain_address (
  address text primary key check (address = lower(address)),
  place int not null unique,
  invoice_id text not null unique
);

-- How far the chain was read. `block` is the end of the quick pass, up to which transfers are seen; `final_block` that of
-- the pass at depth, which reads everything again and is what credits rest on.
create table chain_cursor (
  chain_id bigint primary key,
  block bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  final_block bigint not null,
  -- When a node last told its head, by our clock.
  seen_at timestamptz not null,
  -- Up to where the newest addresses were looked through for tokens of others.
  strange_block bigint
);

-- Contracts that are none of ours and said that they sent something to an address of ours. Only their addresses are known: what they
-- call themselves, and how much they say, is nobody's word.
create table chain_strange (
  chain_id bigint not null,
  address text not null references chain_address (address),
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  transfers bigint not null check (transfers > 0),
  -- One of the transactions.
  tx_hash text not null,
  seen_at timestamptz not null,
  primary key (chain_id, address, token)
);
create index chain_strange_by_address on chain_strange (address);
create index chain_strange_by_age on chain_strange (seen_at);

-- Blocks whose hash is remembered, so that a reorganisation is noticed and its beginning found.
create table chain_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  block_time timestamptz not null,
  primary key (chain_id, number)
);

-- What our own keys move: tokens away from the addresses of invoices, and before that the chain's own coin to them, as gas.
-- Signed and stored before it is sent; one move for each number of a wallet.
create table chain_move (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  kind text not null check (kind in ('GAS', 'SWEEP')),
  wallet text not null check (wallet = lower(wallet)),
  nonce bigint not null check (nonce >= 0),
  -- The address that it takes from, or gives gas to.
  address text not null references chain_address (address),
  to_address text not null,
  token text check ((token is null) = (kind = 'GAS')),
  -- In the smallest unit.
  amount numeric(78, 0) not null check (amount > 0),
  state text not null check (state in ('SIGNED', 'DONE', 'FAILED')),
  made_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (state = 'SIGNED')),
  -- Wei of the chain's own coin that the network took.
  gas_paid numeric(78, 0),
  -- The one of its transactions that did it.
  mined_hash text check ((mined_hash is null) = (state = 'SIGNED')),
  unique (chain_id, wallet, nonce)
);
create unique index chain_move_open on chain_move (chain_id, address) where state = 'SIGNED';
create index chain_move_by_address on chain_move (address, made_at);
create index chain_move_by_end on chain_move (ended_at) where ended_at is not null;

-- The transactions of a move: the first, and others with the same number and a higher fee where it got into no block.
create table chain_move_transaction (
  hash text primary key,
  move_id bigint not null references chain_move (id),
  raw text not null,
  gas_price numeric(78, 0) not null check (gas_price >= 0),
  made_at timestamptz not null,
  sent_at timestamptz
);
create index chain_move_transaction_by_move on chain_move_transaction (move_id);

-- Transfers of the tokens to our addresses. The ordinal counts inside the transaction: unlike the index of a log it stays
-- when a reorganisation moves the transaction to another block (invariant I8).
create table chain_transfer (
  id bigint generated always as identity unique,
  chain_id bigint not null,
  tx_hash text not null,
  address text not null references chain_address (address),
  ordinal int not null,
  token text not null,
  -- In the token's smallest unit, and in units of 10^-8, rounded down.
  exact_amount numeric(78, 0) not null check (exact_amount > 0),
  amount bigint not null check (amount >= 0),
  block bigint not null,
  block_time timestamptz not null,
  state text not null check (state in ('SEEN', 'FINAL', 'GONE')),
  -- The watcher's word that it was final with all of this, by a key that the database has not.
  final_seal bytea,
  -- The move that takes it away from its address, or took it.
  swept_by bigint references chain_move (id),
  primary key (chain_id, tx_hash, token, address, ordinal)
);
-- What is final and still lies at its address.
create index chain_transfer_to_sweep on chain_transfer (chain_id, token, address) where state = 'FINAL' and swept_by is null;
create index chain_transfer_swept on chain_transfer (swept_by) where swept_by is not null;
create index chain_transfer_by_time on chain_transfer using brin (block_time) with (autosummarize = on, pages_per_range = 16);
create index chain_transfer_by_address on chain_transfer (address);
create index chain_transfer_unconfirmed on chain_transfer (chain_id, block) where state = 'SEEN';
create index chain_transfer_by_block on chain_transfer (chain_id, block) where state <> 'GONE';

-- What a person has to look at: a reorganisation deeper than what counts as final, or than what is remembered; money that left
-- a hot wallet without a payout.
create table chain_incident (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('FINAL_GONE', 'TOO_DEEP', 'WALLET_SPENT')),
  noted_at timestamptz not null,
  -- From which block on, and which transfers it took; for a wallet what it lacks.
  from_block bigint not null,
  transfers jsonb not null,
  -- Since when two people have said that all has been done that it takes; until then nothing is paid out.
  answered_at timestamptz
);
create index chain_incident_open on chain_incident (id) where answered_at is null;

-- Where the hourly comparison of the chain with the books goes on: behind which address, and when it was last there.
create table chain_check (
  chain_id bigint primary key,
  after_place int not null,
  checked_at timestamptz not null
);

-- What differs between the chain and the books at an address: money that was not seen coming (in the token's smallest unit),
-- or that was not credited (in units); or what an account of the ledger says of money from or to outside. What only one round has found may have been on its way.
create table chain_difference (
  kind text not null check (kind in ('UNSEEN', 'UNCREDITED', 'DEPOSITS', 'PAYOUTS')),
  subject text not null,
  expected numeric(78, 0) not null,
  found numeric(78, 0) not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  primary key (kind, subject)
);

-- Sums over what the hourly comparison of chain and books has read and what does not change any more, so that a round reads what came
-- since. Sealed by a key that the database has not; one that is missing, or is not the house's own, is made anew from everything.
create table chain_checkpoint (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  part text not null check (part in ('BOOKS', 'WALLETS')),
  -- What happened before the moment is in the sums, and of transfers what came up to the block.
  until timestamptz not null,
  until_block bigint not null,
  sums jsonb not null,
  seal bytea not null,
  unique (chain_id, part)
);

-- What each hot wallet held of each token when it was last looked at, and what payouts in blocks had taken from it by then: both
-- together never shrink.
create table chain_reserve (
  chain_id bigint not null,
  wallet text not null,
  token text not null,
  balance numeric(78, 0) not null check (balance >= 0),
  paid numeric(78, 0) not null check (paid >= 0),
  seen_at timestamptz not null,
  primary key (chain_id, wallet, token)
);

-- gateways/mailer/schema.sql
-- Mails to be sent, written together with their cause. `sealed` holds what the template needs, encrypted, because it
-- has codes and links in it; it is erased when the mail has gone.
create table mail_outbox (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  recipient text not null,
  template text not null,
  -- A newer mail with the same key replaces one that has not gone yet.
  replace_key text,
  sealed bytea,
  status text not null default 'WAITING' check (status in ('WAITING', 'SENT', 'DROPPED')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  not_after timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  check (status = 'WAITING' or sealed is null)
);
create index mail_outbox_due on mail_outbox (next_attempt_at, id) where status = 'WAITING';
create index mail_outbox_by_age on mail_outbox ((case when status <> 'WAITING' then created_at end));
create index mail_outbox_replaceable on mail_outbox (replace_key) where status = 'WAITING' and replace_key is not null;

-- modules/settings/schema.sql
-- The operator's settings. Each change is a whole new version with the moment from which it holds; a version is never
-- changed, so that every purchase can name the one it was made under (invariant I13).
create table setting (
  version int generated always as identity primary key,
  starts_at timestamptz not null,
  coin_price bigint not null check (coin_price > 0),
  min_coin bigint not null check (min_coin > 0),
  max_coin bigint not null,
  convert_rate bigint not null,
  exchange_limit bigint not null check (exchange_limit between 0 and 10000000000),
  exchange_cooldown_hours int not null check (exchange_cooldown_hours >= 0),
  platform_fee_percent bigint not null check (platform_fee_percent >= 0),
  network_fee_percent bigint not null check (network_fee_percent >= 0),
  bridge_fee_percent bigint not null check (bridge_fee_percent between 0 and 10000000000),
  bridge_minimum bigint not null check (bridge_minimum >= 0),
  buy_token_credit_wallet text not null check (buy_token_credit_wallet in ('newIcoWallet', 'icoWallet', 'nativeWallet')),
  reward_hold_days int not null check (reward_hold_days between 0 and 365),
  four_eyes_above_usd bigint not null check (four_eyes_above_usd >= 0),
  four_eyes_above_coin bigint not null check (four_eyes_above_coin >= 0),
  allowed_email_domains text[],
  created_at timestamptz not null,
  created_by bigint,
  reason text not null,
  -- In-app invoices that a member may have open at once.
  open_invoices int not null default 5 check (open_invoices between 1 and 100),
  -- Hours: how long a payout waits for its owner, until an address of the book needs no confirmation, and how long payouts
  -- rest after something happened to the account.
  payout_confirm_hours int not null default 24 check (payout_confirm_hours between 1 and 168),
  address_delay_hours int not null default 24 check (address_delay_hours between 0 and 720),
  payout_hold_hours int not null default 24 check (payout_hold_hours between 0 and 720),
  -- What may be paid out within 24 hours: to one member, and to all of them.
  payout_target_hours int not null default 8 check (payout_target_hours between 1 and 720),
  deposit_target_hours int not null default 24 check (deposit_target_hours between 1 and 720),
  change_target_hours int not null default 48 check (change_target_hours between 1 and 720),
  answer_target_hours int not null default 4 check (answer_target_hours between 1 and 720),
  payout_day_count int not null default 20 check (payout_day_count between 1 and 1000),
  payout_day_usd bigint not null default 5000000000000 check (payout_day_usd > 0),
  payout_day_coin bigint not null default 500000000000000 check (payout_day_coin > 0),
  payout_day_total_usd bigint not null default 25000000000000 check (payout_day_total_usd > 0),
  payout_day_total_coin bigint not null default 2500000000000000 check (payout_day_total_coin > 0),
  check (max_coin >= min_coin),
  check (platform_fee_percent + network_fee_percent <= 10000000000),
  -- USD → coin → USD must never pay out more than went in (CO-15).
  check (convert_rate >= coin_price)
);
comment on column setting.coin_price is 'USD units for one coin';
comment on column setting.exchange_limit is 'percent units';
comment on column setting.allowed_email_domains is 'null: those of the configuration';
create index setting_in_force on setting (starts_at desc, version desc);
create trigger setting_append_only before update or delete or truncate on setting for each statement execute function refuse_change();

-- The documented defaults (CO-47, CO-15, LS-37).
insert into setting (starts_at, coin_price, min_coin, max_coin, convert_rate, exchange_limit, exchange_cooldown_hours,
  platform_fee_percent, network_fee_percent, bridge_fee_percent, bridge_minimum, buy_token_credit_wallet, reward_hold_days,
  four_eyes_above_usd, four_eyes_above_coin, created_at, reason)
values ('2020-01-01 00:00:00+00', 800000, 100000000, 1000000000000000, 800000, 1000000000, 0,
  500000000, 200000000, 0, 0, 'newIcoWallet', 30,
  100000000000, 10000000000000, '2020-01-01 00:00:00+00', 'documented defaults');

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

-- modules/members/schema.sql
-- Who somebody is, and how many they brought, stands in every list of the rooms above: those join it.
-- published: member, member_referrals

-- People with an account, staff included. `sponsor_id` is fixed at registration (invariant I11): nothing updates it.
create table member (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  email text not null unique check (email = lower(email)),
  phone text not null,
  password_hash text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  role text not null default 'MEMBER' check (role in ('MEMBER', 'SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR')),
  is_special_rcm boolean not null default false,
  rank text,
  -- Staff gave the rank: the programme leaves it alone (RO-17).
  rank_by_staff boolean not null default false,
  referral_code text not null unique check (referral_code = upper(referral_code)),
  sponsor_id bigint references member (id) check (sponsor_id < id),
  profile_image text,
  second_factor boolean not null default false,
  -- Set by a reset through a mailed link; staff see it beside requests.
  password_reset_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whether whoever chose the password has shown that the address is theirs. Until then a password alone is not enough.
  password_proved boolean not null default true,
  -- Until when payouts rest, as somebody else may have got in, and since when the owner has stopped them for good.
  payouts_held_until timestamptz,
  payouts_held_for text check (payouts_held_for in ('password', 'second-factor', 'device')),
  payouts_stopped_at timestamptz
);
create index member_by_sponsor on member (sponsor_id, id desc);

-- How many direct referrals with a proved address each member has, so that a page of a team costs the same for any team.
create table member_referrals (
  member_id bigint primary key references member (id),
  direct_count int not null
);
create trigger member_sponsor_fixed before update of sponsor_id on member
  for each row when (old.sponsor_id is distinct from new.sponsor_id) execute function keep_sponsor();
create trigger member_counted after insert on member
  for each row when (new.sponsor_id is not null and new.is_verified) execute function count_referral();
create trigger member_counted_later after update of is_verified on member
  for each row when (new.sponsor_id is not null and old.is_verified <> new.is_verified) execute function count_referral();

-- For the search in one's own team: beginnings of names and mail addresses.
create index member_by_name_start on member (lower(name) text_pattern_ops);
create index member_by_email_start on member (email text_pattern_ops);

-- For the search of staff: beginnings of any word of a name, of the figures of a phone number; and the few who stand out.
create index member_by_name_word on member using gin (to_tsvector('simple'::regconfig, name));
create index member_by_phone on member (regexp_replace(phone, '\D', '', 'g') text_pattern_ops);
create index member_blocked on member (id) where not is_active;
create index member_unverified on member (id) where not is_verified;
create index member_special on member (id) where is_special_rcm;
create index member_staff on member (id) where role <> 'MEMBER';
-- Whoever earns nothing (RW-12), so that a run asks for the few that do not instead of reading everybody who does.
create index member_not_earning on member (id) where not (is_verified and is_active);

-- How many rows each list of a member has and what they add up to, by status (by kind for NFTs), so that the figures of
-- a page cost the same for any history. Kept by triggers, which follow from the lists' `history.ts`: whoever writes a row,
-- the figures move in its transaction.
create table member_tally (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows int not null,
  amount numeric not null,
  primary key (member_id, list, bucket)
) with (fillfactor = 70);

-- What happened, who did it, from where, and how it ended (invariant I17). Append-only; each row carries the hash of
-- the one before it.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint,
  actor_role text not null,
  action text not null,
  subject_type text,
  subject_id text,
  reason text,
  outcome text not null,
  ip text,
  request_id text,
  detail jsonb not null default '{}',
  previous_hash text not null,
  hash text not null
);
create index audit_event_by_subject on audit_event (subject_type, subject_id, id);
create index audit_event_by_actor on audit_event (actor_id, id);
create index audit_event_by_time on audit_event using brin (at) with (autosummarize = on, pages_per_range = 16);
-- Money of the house that staff moved.
create index audit_event_of_money on audit_event (action, id) where action in ('rewards.credit-rcm', 'rewards.fund-pool');
create trigger audit_event_append_only before update or delete on audit_event for each row execute function refuse_change();
create trigger audit_event_no_truncate before truncate on audit_event for each statement execute function refuse_change();

-- modules/wallets/schema.sql
-- Whoever shows balances of past days begins here.
-- published: wallet_day

-- The last ledger transfer of each UTC day, so that balances at the end of a day are a few index look-ups however long
-- the history is.
create table wallet_day (
  day date primary key,
  last_transfer_id bigint not null,
  marked_at timestamptz not null
);

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

-- modules/team/schema.sql
-- Reward runs go up the tree by sets, a level a join; ranks go by the totals; the audit of stakes compares them and the deltas with stakes.
-- published: team_member, team_total, team_delta

-- The team: who stands below whom, and what each branch adds up to (invariant I11, API-83 to API-88).
-- A sponsor exists before those it brings, so the graph is a forest by construction. `jump_id` is an ancestor further up,
-- chosen so that any ancestor is reached in a number of steps that grows with the logarithm of the depth.
create table team_member (
  member_id bigint primary key references member (id),
  sponsor_id bigint references team_member (member_id) check (sponsor_id < member_id),
  depth int not null check (depth >= 0),
  jump_id bigint not null,
  jump_depth int not null,
  check ((sponsor_id is null) = (depth = 0)),
  check (jump_depth <= depth)
);
create index team_member_by_sponsor on team_member (sponsor_id, member_id desc);
create trigger team_member_fixed before update or delete on team_member for each row execute function keep_team_place();

-- What the whole branch below a member adds up to, without the member. Only the folding sweep writes here, so that
-- registrations and stakes of one branch never queue for its leader's row.
create table team_total (
  member_id bigint primary key,
  people int not null,
  stake bigint not null,
  -- Coin of stakes that run: all of it is staked at the same time (RW-05).
  running bigint not null default 0
) with (fillfactor = 80);

-- The same by UTC month of the stake or purchase: coin staked, USD of NFTs bought.
create table team_month (
  member_id bigint not null,
  month date not null,
  stake bigint not null,
  nft bigint not null,
  primary key (member_id, month)
) with (fillfactor = 80);

-- What has happened and is not folded into the totals yet. Reads add it.
create table team_delta (
  id bigint generated always as identity primary key,
  member_id bigint not null,
  month date not null,
  people int not null default 0,
  stake bigint not null default 0,
  nft bigint not null default 0,
  running bigint not null default 0
);
create trigger member_placed after insert on member for each row execute function place_member();
create trigger member_in_team after insert on member
  for each row when (new.sponsor_id is not null and new.is_verified) execute function count_in_team();
create trigger member_in_team_later after update of is_verified on member
  for each row when (new.sponsor_id is not null and old.is_verified <> new.is_verified) execute function count_in_team();

-- modules/notices/schema.sql
-- What calls note with their cause. Without a key, an index or a reference, as most of it is USD between members and each
-- send writes a row; the next sweep takes all of it in.
create table notice_news (
  member_id bigint not null,
  event text not null,
  cause text not null,
  said text not null,
  created_at timestamptz not null
);

-- What a member is to be told by mail; one mail gathers what waits.
create table notice (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  event text not null,
  -- What it is about: at most one notice each.
  cause text not null,
  said text not null,
  created_at timestamptz not null,
  mailed_at timestamptz,
  unique (event, cause)
);
create index notice_waiting on notice (member_id, id) where mailed_at is null;
create index notice_by_mail on notice (member_id, mailed_at) where mailed_at is not null;
create index notice_by_age on notice (mailed_at);

-- Mails that a member switched off.
create table notice_off (
  member_id bigint not null references member (id),
  event text not null check (event in ('deposit', 'received', 'stake-ended')),
  since timestamptz not null,
  primary key (member_id, event)
);

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

-- modules/auth/schema.sql
-- Staff compare where sessions came from.
-- published: session

-- A sign-in. Access tokens name it, refresh tokens belong to it; when it ends, both end.
create table session (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Longest pause between two uses, and the moment that ends the session in any case.
  idle_seconds int not null,
  expires_at timestamptz not null,
  ip text not null,
  user_agent text not null,
  device text not null,
  ended_at timestamptz,
  end_reason text,
  -- When the session proved a second factor; staff calls answer only sessions that did.
  second_factor_at timestamptz,
  -- Whether it was opened by a mailed code or link.
  address_proved boolean not null default false,
  -- Where the browser said that it was; null where it did not.
  time_zone text
);
create index session_live_by_member on session (member_id, id) where ended_at is null;
create index session_by_member on session (member_id, id desc);
create index session_by_end on session ((case when ended_at < expires_at then ended_at else expires_at end));
create index session_by_device on session (member_id, device);
create index session_by_address on session (ip, member_id);

-- Refresh tokens of a session, by their digest. Each is used once and replaced by the next.
create table refresh_token (
  id bigint generated always as identity primary key,
  session_id bigint not null references session (id),
  token_digest text not null unique,
  created_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token_by_session on refresh_token (session_id);
create index refresh_token_by_age on refresh_token (created_at);

-- Mailed six-digit codes, under a keyed hash. `attempts` counts tries and is raised before a try is looked at.
create table mail_code (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  cause text not null check (cause in ('register', 'resend')),
  code_hash text not null,
  attempts int not null default 0 check (attempts between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_code_by_age on mail_code (created_at);
create index mail_code_by_member on mail_code (member_id, id desc);

-- Mailed links, by the digest of their token.
create table mail_link (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  purpose text not null check (purpose in ('verify', 'reset')),
  token_digest text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_link_by_age on mail_link ((case when purpose = 'reset' then created_at end));
create index mail_link_by_member on mail_link (member_id, purpose, id desc);

-- Registrations for an address that an unfinished one holds. Whoever opens the mailed link gets an account with what this
-- registration said, and the unfinished one goes: nobody's sponsor and password are decided by a stranger who came first.
create table registration_attempt (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null,
  phone text not null,
  password_hash text not null,
  sponsor_id bigint references member (id),
  token_digest text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registration_attempt_by_end on registration_attempt (expires_at);
create index registration_attempt_by_email on registration_attempt (email, created_at);

-- Failed sign-ins by the address that was typed, whether or not it belongs to somebody.
create table sign_in_failure (
  account_digest text primary key,
  failures int not null,
  window_start timestamptz not null,
  blocked_until timestamptz
);
create index sign_in_failure_by_age on sign_in_failure (window_start);

-- Requests for a reset link. The call only notes the address, so that it takes as long for an unknown one.
create table reset_request (
  id bigint generated always as identity primary key,
  email text not null,
  ip text not null,
  request_id text not null,
  created_at timestamptz not null,
  handled_at timestamptz
);
create index reset_request_by_age on reset_request ((case when handled_at is not null then created_at end));
create index reset_request_open on reset_request (id) where handled_at is null;

-- Authenticator apps. The secret is encrypted; `last_step` is the newest time step whose code was accepted.
create table second_factor (
  member_id bigint primary key references member (id),
  sealed_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

-- A look of staff at a member's own pages: reads only, for a few minutes, and never longer than the session of staff that
-- opened it. It is no session of the member: it proves nothing, is in no list of theirs, and leaves no trace of a device.
create table member_view (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  session_id bigint not null references session (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index member_view_by_session on member_view (session_id);

-- Passkeys, each the second factor of one account beside its authenticator app. `counter` is what the key said last, so that a
-- copy of it is noticed; keys that are kept on several devices say 0 always.
create table passkey (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  credential_id text not null unique,
  -- Base64url.
  public_key text not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  -- Whether its maker may keep it on several devices, and whether it does.
  may_sync boolean not null,
  synced boolean not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_by_member on passkey (member_id, id);

-- Challenges that wait for their one answer: of a session that adds or shows a passkey, or of an account that signs in. One for
-- showing, which asks for no code, adds nothing.
create table passkey_challenge (
  public_id text primary key,
  member_id bigint not null references member (id),
  session_id bigint references session (id) on delete cascade,
  purpose text not null check (purpose in ('add', 'show', 'sign-in') and (purpose = 'sign-in') = (session_id is null)),
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenge_by_end on passkey_challenge (expires_at);
create index passkey_challenge_by_session on passkey_challenge (session_id) where session_id is not null;

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

-- modules/rewards/schema.sql
-- Staff follow rewards back to what they rest on.
-- published: reward_instant, reward_run

-- The reward programme (RW-01 to RW-09). A change is a new version with a start; what was sold before keeps its version.
-- Percentages are bigint units of 10^-8 percent with at most 4 decimals, so that a share is exact in 64-bit integers.
create table reward_programme (
  version int primary key check (version > 0),
  starts_at timestamptz not null,
  referral_percent bigint not null,
  level_percents bigint[] not null,
  bounty_percents bigint[] not null,
  stake_log_level_percents bigint[] not null,
  stake_log_bounty_percents bigint[] not null,
  nft_level_percents bigint[] not null,
  nft_bounty_percents bigint[] not null,
  -- [{rank, teamStake, bonus}], amounts as text in units, lowest first.
  ranks jsonb not null,
  reason text not null,
  created_by bigint,
  created_at timestamptz not null,
  -- Stakes of at least so many days pay the whole level share, shorter ones their part of it (RW-02).
  full_level_share_days int not null default 365 check (full_level_share_days between 1 and 36500)
);
-- Of versions with one start the newest holds: what was planned is superseded, never taken away.
create index reward_programme_by_start on reward_programme (starts_at desc, version desc);
create trigger reward_programme_append_only before update or delete on reward_programme for each row execute function refuse_change();

insert into reward_programme values (
  1, '2000-01-01T00:00:00Z',
  500000000,
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '{500000000,300000000,200000000,100000000,100000000}',
  '{1000000000,500000000,300000000,200000000,100000000}',
  '[{"rank":"bronze","teamStake":"10000000000000","bonus":"50000000000"},
    {"rank":"silver","teamStake":"50000000000000","bonus":"250000000000"},
    {"rank":"gold","teamStake":"100000000000000","bonus":"500000000000"},
    {"rank":"platinum","teamStake":"500000000000000","bonus":"2500000000000"},
    {"rank":"diamond","teamStake":"1000000000000000","bonus":"5000000000000"}]',
  'Opening programme', null, '2000-01-01T00:00:00Z'
);

-- What the operator has set against promised rewards besides the pool, and whether sales stop when it does not suffice.
create table reward_policy (
  id bigint generated always as identity primary key,
  coverage_mode text not null check (coverage_mode in ('enforce', 'observe')),
  committed_coin bigint not null check (committed_coin >= 0),
  committed_usd bigint not null check (committed_usd >= 0),
  reason text not null,
  created_by bigint,
  created_at timestamptz not null
);
create trigger reward_policy_append_only before update or delete on reward_policy for each row execute function refuse_change();
insert into reward_policy (coverage_mode, committed_coin, committed_usd, reason, created_at)
values ('enforce', 0, 0, 'Opening policy', '2000-01-01T00:00:00Z');

-- What is promised, by UTC day and kind: what running stakes and NFTs have not counted yet with the largest possible bounties,
-- and held rewards on the day of their release, however long these days are past. Whoever promises something, keeps it or takes
-- it back appends to the second table; a sweep folds it into the first.
create table reward_promise (
  day date not null,
  kind text not null,
  amount bigint not null,
  primary key (day, kind)
) with (fillfactor = 80);
create table reward_promise_pending (
  id bigint generated always as identity primary key,
  kind text not null,
  step text not null check (step in ('day', 'month')),
  -- The first payment falls one step after this moment.
  starts_at timestamptz not null,
  times int not null check (times > 0),
  amount bigint not null,
  -- The run that counts it, until that is worked out: a promise stands until what comes of it is owed.
  run_id bigint
);

-- What pays day by day or month by month: a stake, an Omega stake (stake log) or an NFT, as its sale handed it over. Steps
-- are counted here and nowhere else. A little more than half of each page stays free, for each row once more and what points
-- to it, so that counting one changes no index.
-- stream: 0 stakes, 1 Omega stakes, 2 NFTs. A step is a day; of an NFT a month.
create table reward_source (
  id bigint generated always as identity primary key,
  stream smallint not null check (stream in (0, 1, 2)),
  -- As members know it, and what it is called.
  public_id text not null unique,
  label text not null,
  member_id bigint not null references member (id),
  -- What the rewards of all steps are a share of, and the share, in units of percent.
  principal bigint not null check (principal > 0),
  percent bigint not null check (percent >= 0),
  -- Units of one step, and how many there are.
  amount bigint not null check (amount >= 0),
  -- The bounties of all levels on one step, were everyone above to earn.
  bounty bigint not null check (bounty >= 0),
  times int not null check (times > 0),
  starts_at timestamptz not null,
  -- When the last step falls due; counted in UTC, so that the expression may be stored.
  ends_at timestamptz not null generated always as
    (((starts_at at time zone 'UTC') + times * case when stream = 2 then interval '1 month' else interval '1 day' end) at time zone 'UTC') stored,
  programme_version int not null references reward_programme (version),
  counted int not null default 0,
  -- Of an NFT only: what its months paid so far, and when the last of them was written down (EN-36). A month of an owner
  -- who is blocked or not verified counts and pays nothing.
  distributed bigint not null default 0,
  distributed_at timestamptz,
  -- Staff took the purchase back: no further step falls due.
  undone_at timestamptz,
  check (counted between 0 and times),
  check (stream = 2 or (distributed = 0 and distributed_at is null))
) with (fillfactor = 48);
-- What is due is looked for where it can be: the steps of a source fall due at one time of the day, which never changes, so
-- that counting one still changes no index.
create index reward_source_by_time on reward_source (((starts_at at time zone 'UTC')::time));
-- What is still to come for a member (the planner), however many have ended.
create index reward_source_by_member on reward_source (member_id, ends_at);
-- What was sold or undone since a moment: the audit looks at that.
create index reward_source_by_start on reward_source using brin (starts_at) with (autosummarize = on, pages_per_range = 16);
create index reward_source_by_undoing on reward_source (undone_at) where undone_at is not null;

-- Daily and monthly rewards: facts, the sums that are paid, and the runs that made them (RW-03, RW-04, RW-06, RW-08, RW-12).

-- UTC business days (invariant I18).
create table reward_day (
  day date primary key,
  status text not null check (status in ('OPEN', 'DONE')),
  runs int not null default 0,
  facts bigint not null default 0,
  total_coin bigint not null default 0,
  total_usd bigint not null default 0,
  hash text,
  opened_at timestamptz not null,
  closed_at timestamptz
);

-- Set when payment lies more days behind than it may make up by itself; a person goes on from there, day by day.
create table reward_halt (
  id bigint generated always as identity primary key,
  behind_since date not null,
  allowed_through date not null,
  noticed_at timestamptz not null,
  ended_at timestamptz
);
create unique index reward_halt_single on reward_halt ((true)) where ended_at is null;

-- One run pays what of its day was due through a moment. Facts are written in batches, then summed, then paid in slices.
create table reward_run (
  id bigint generated always as identity primary key,
  day date not null references reward_day (day),
  through timestamptz not null,
  status text not null check (status in ('FACTS', 'PAY', 'DONE')),
  facts bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  hash text,
  by_hand boolean not null,
  started_by text,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Where the watch stood when the run began, if it did; with little to do, only the sources near it are looked at.
  few boolean not null default false,
  clear_through timestamptz,
  seen_source bigint,
  newest_source bigint,
  check (not few or clear_through is not null),
  check ((clear_through is null) = (seen_source is null) and (clear_through is null) = (newest_source is null))
);
create unique index reward_run_single on reward_run ((true)) where status = 'FACTS';
create index reward_run_unpaid on reward_run (id) where status = 'PAY';
create index reward_run_by_day on reward_run (day, id);
-- What was worked at since a moment: the audit looks at that.
create index reward_run_by_end on reward_run ((coalesce(finished_at, 'infinity')));

-- What an open run is cut into, so that several lanes work at it: first stretches of sources, then shares of the credits.
-- Whoever works a slice out holds its row until that is committed: it is done once, and a lane that dies leaves it as it was.
create table reward_slice (
  run_id bigint not null references reward_run (id),
  part text not null check (part in ('facts', 'credits')),
  number int not null,
  -- Of facts: sources with ids above the first, up to the second one. Of credits: which share (from 0), of how many.
  low bigint not null,
  high bigint not null,
  done boolean not null default false,
  facts bigint not null default 0,
  first_due timestamptz,
  last_due timestamptz,
  primary key (run_id, part, number)
);

-- One reward of one stake day or NFT month. The only copy: bounties are worked out of it.
create table reward_fact (
  run_id bigint not null,
  stream smallint not null check (stream in (0, 1, 2)),
  -- `reward_source`; no foreign key, whose check would cost a run as much as the row.
  source_id bigint not null,
  member_id bigint not null,
  ordinal int not null check (ordinal > 0),
  programme_version int not null,
  amount bigint not null check (amount > 0),
  due_at timestamptz not null
);
-- A source belongs to one member and has one payment per moment, so this is also "once per source and day" (invariant I10).
create unique index reward_fact_once on reward_fact (member_id, stream, due_at, source_id);
create index reward_fact_by_run on reward_fact using brin (run_id) with (autosummarize = on);

-- What a member gets from a run, one row: own rewards and bounties by level, with the number of facts behind each. A
-- member who earns no bounty (blocked, not verified) has counts too: those above find their rows through them.
create table reward_credit (
  run_id bigint not null,
  stream smallint not null,
  member_id bigint not null,
  -- 0 when nobody stands above.
  sponsor_id bigint not null,
  eligible boolean not null,
  n0 int not null, n1 int not null, n2 int not null, n3 int not null, n4 int not null, n5 int not null,
  daily bigint not null, b1 bigint not null, b2 bigint not null, b3 bigint not null, b4 bigint not null, b5 bigint not null,
  amount bigint not null check (amount >= 0 and amount = daily + b1 + b2 + b3 + b4 + b5)
);
create unique index reward_credit_by_member on reward_credit (member_id, stream, run_id);
create index reward_credit_below on reward_credit (run_id, stream, sponsor_id, member_id);

-- How far a run is paid: credits up to the cursor, in the order of (sponsor_id, member_id), are in the ledger, or taken by
-- a lane that is about to pay them; the others are owed.
create table reward_payment (
  run_id bigint not null references reward_run (id),
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0,
  taken bigint not null default 0 check (paid <= taken and taken <= total),
  -- The most of it that the pool could not pay at some time; it stays when that was paid.
  fell_short bigint not null default 0 check (fell_short between 0 and total),
  cursor_sponsor bigint not null default -1,
  cursor_member bigint not null default 0,
  primary key (run_id, stream)
);
create index reward_payment_open on reward_payment (stream, run_id) where paid < total;

-- Credits that are being paid. What they come to has left the pool for a slot of its own, so that lanes need not wait for
-- each other at one row; who dies leaves them to the next lane.
create table reward_taken (
  run_id bigint not null,
  stream smallint not null,
  slot int not null check (slot > 0),
  -- Behind whom they stand in the order of the payment, and the last of them.
  after_sponsor bigint not null,
  after_member bigint not null,
  last_sponsor bigint not null,
  last_member bigint not null,
  members int not null,
  total bigint not null check (total > 0),
  primary key (run_id, stream, slot),
  foreign key (run_id, stream) references reward_payment (run_id, stream)
);

-- Rewards that an event makes at once (RW-01, RW-02, RW-05, RW-07): held for a time, then paid.
create table reward_instant (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('referral', 'level', 'nft-level', 'rank')),
  -- No foreign keys: their checks would cost a sale as much as all five rows (docs/decisions/0018-cost-of-a-sale.md).
  beneficiary_id bigint not null,
  source_member_id bigint,
  -- A source (reward_source), a purchase of coin or, by a number for its name, a rank.
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null check (level between 0 and 5),
  base bigint not null,
  percent bigint,
  amount bigint not null check (amount > 0),
  reversed bigint not null default 0 check (reversed between 0 and amount),
  asset text not null check (asset in ('COIN', 'USD')),
  programme_version int not null,
  rank text,
  status text not null check (status in ('held', 'owed', 'paid', 'reversed')),
  created_at timestamptz not null,
  release_at timestamptz not null,
  settled_at timestamptz,
  transfer_id bigint,
  tallied boolean not null default false,
  -- Part of `base` that was given back within the hold (RW-01).
  base_back bigint not null default 0,
  -- Whether it stands in the forecast, and may be paid: not while its member is blocked.
  promised boolean not null default true,
  -- Why staff took it back.
  cancel_reason text,
  -- What it rests on as members know it, and how much was bought or staked.
  cause_public_id text,
  cause_amount bigint,
  -- Of a rank bonus whose clock stands still: what is left of its hold, in milliseconds. Null while it runs,
  -- and for the other kinds.
  waits_ms bigint check (kind = 'rank' or waits_ms is null),
  check ((status = 'reversed') = (reversed = amount)),
  check (base_back between 0 and base),
  check (cause_type = case kind when 'referral' then 'coin_purchase' when 'rank' then 'rank' else 'source' end)
);
create index reward_instant_held_of on reward_instant (source_member_id, id desc) where status = 'held' and kind = 'referral';
create index reward_instant_rank_held on reward_instant (created_at, beneficiary_id desc, id) where kind = 'rank' and status = 'held';
-- The kind says what type of cause it is.
create unique index reward_instant_once on reward_instant (cause_id, kind, beneficiary_id, level);
create index reward_instant_by_member on reward_instant (beneficiary_id, kind, id desc);
create index reward_instant_due on reward_instant (release_at, id) where status in ('held', 'owed');
-- What is owed is asked for by every sale, however much is held.
create index reward_instant_owed on reward_instant (asset) where status = 'owed';
create index reward_instant_untallied on reward_instant (beneficiary_id, kind) where not tallied;
-- The planner shows what is held for a member and when it is paid, however long the history is.
create index reward_instant_held on reward_instant (beneficiary_id, release_at) where status = 'held';
-- What was earned, fell due or was paid since a moment: the audit looks at that.
create index reward_instant_by_time on reward_instant using brin (created_at, release_at) with (autosummarize = on, pages_per_range = 16);
create index reward_instant_by_payment on reward_instant (settled_at) where settled_at is not null;

create trigger member_promises after update of is_verified, is_active on member for each row
  when ((old.is_verified and old.is_active) is distinct from (new.is_verified and new.is_active)) execute function reward_promise_again();

-- Counts and sums of the above by member, kind and status, so that a list's figures cost the same for any history.
create table reward_tally (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  primary key (member_id, kind, status)
) with (fillfactor = 80);

-- What each member's runs came to by stream, as far as the credits were folded into it in the order of their index; those
-- behind that place are read as they are.
create table reward_earned (
  member_id bigint not null,
  stream smallint not null,
  amount bigint not null,
  primary key (member_id, stream)
) with (fillfactor = 80);
create table reward_earned_progress (
  one boolean primary key default true check (one),
  run_id bigint not null default 0,
  stream smallint not null default 0,
  sponsor_id bigint not null default 0,
  member_id bigint not null default 0
);
insert into reward_earned_progress default values;

-- What each member's instant rewards of a kind add up to in an ISO week (by its Monday, UTC), less what was taken back.
-- Rows are added when they are tallied; those that are not yet are read as they are.
create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  primary key (member_id, starts_on, kind)
) with (fillfactor = 80);

-- Up to `clear_through` no reward waits of the sources up to the seen id: only what falls due later, and what is
-- new, has to be looked at. Null: look at everything.
create table reward_watch (
  one boolean primary key default true check (one),
  clear_through timestamptz,
  seen_source bigint not null default 0
);
insert into reward_watch default values;

-- How much coin a member has bought less what was given back (sold for USD or undone), and the highest such figure on
-- which referral rewards stand (RW-01). USD out of sold coin takes its part of the mark along when it is sent on, so that
-- the same money earns once, in whosever account it buys (RW-14). No row is a member of 0 and 0.
create table reward_mark (
  member_id bigint primary key references member (id),
  kept bigint not null,
  -- Below 0 where more coin was sold than bought, and the USD out of it went on.
  mark bigint not null
);

-- Figures of a draft of the programme that is tried on days of the past, while a job works them out slice by slice and until
-- they stand in its file. Nothing rests on them.
create table reward_trial (
  simulation text not null,
  member_id bigint not null,
  kind text not null,
  before bigint not null,
  after bigint not null,
  begun_at timestamptz not null,
  primary key (simulation, member_id, kind)
);
create index reward_trial_by_time on reward_trial (begun_at);

-- modules/rewards/views.sql
-- How far the rewards of a stake or NFT are, for those who sold it: it is named by the id that members know.
create view reward_progress as
  select public_id, counted, times, distributed, distributed_at from reward_source;

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

-- modules/coin/schema.sql
-- Staff list what members bought.
-- published: coin_purchase

-- Purchases of coin (EN-23), each with the version of the settings whose price it used (invariant I13).
create table coin_purchase (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  coin_amount bigint not null check (coin_amount > 0),
  coin_price bigint not null,
  total_price bigint not null,
  charged bigint not null check (charged > 0),
  settings_version int not null references setting (version),
  posting_id bigint not null,
  created_at timestamptz not null,
  undone_at timestamptz
);
comment on column coin_purchase.total_price is 'USD units with 2 decimals, as shown';
comment on column coin_purchase.charged is 'USD units that left the wallet: the exact product';
create index coin_purchase_by_member on coin_purchase (member_id, id desc);
-- What was bought in the last days, by the order in which rows were written: staff see what another price would have meant.
create index coin_purchase_by_time on coin_purchase using brin (created_at) with (autosummarize = on);
create index coin_purchase_by_undoing on coin_purchase (undone_at) where undone_at is not null;

create trigger coin_purchase_counted after insert on coin_purchase
  referencing new table as fresh for each statement execute function coin_purchase_counted();
create trigger coin_purchase_recounted after update of undone_at, coin_amount on coin_purchase
  for each row when ((case when old.undone_at is null then '' else 'UNDONE' end) is distinct from (case when new.undone_at is null then '' else 'UNDONE' end) or (old.coin_amount) is distinct from (new.coin_amount)) execute function coin_purchase_recounted();

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

-- modules/staking/schema.sql
-- Staff list what members bought.
-- published: stake, stake_plan

-- Stake plans, stakes and the private calendar addresses (EN-30, EN-31, MF-13, MF-24). Amounts and percentages are
-- bigint units of 10^-8.

create table stake_plan (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null check (name <> ''),
  duration_days int not null check (duration_days between 1 and 36500),
  minimum bigint not null check (minimum >= 0),
  apy bigint not null check (apy > 0),
  is_omega boolean not null default false,
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  created_at timestamptz not null,
  -- Of a planned one: when it begins to exist.
  starts_at timestamptz
);
-- What a plan is to be from a moment on; `stake_plans_at` says what it is at a moment.
create table stake_plan_next (
  plan_id bigint not null references stake_plan (id) on delete cascade,
  starts_at timestamptz not null,
  name text not null check (name <> ''),
  duration_days int not null check (duration_days between 1 and 36500),
  minimum bigint not null check (minimum >= 0),
  apy bigint not null check (apy > 0),
  is_omega boolean not null,
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  primary key (plan_id, starts_at)
);

create table stake (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  plan_id bigint not null references stake_plan (id),
  plan_name text not null,
  is_omega boolean not null,
  wallet text not null check (wallet in ('nativewallet', 'mywallet')),
  amount bigint not null check (amount > 100000000),
  apy bigint not null check (apy > 0),
  duration_days int not null check (duration_days > 0),
  daily_reward bigint not null check (daily_reward >= 0),
  programme_version int not null,
  started_at timestamptz not null,
  -- started_at + duration_days x 24 h; counted in UTC, so that the expression may be stored.
  matures_at timestamptz generated always as
    (((started_at at time zone 'UTC') + duration_days * interval '1 day') at time zone 'UTC') stored,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'COMPLETED', 'UNDONE')),
  -- Ledger transfer of the principal, for the receipt.
  transfer_id bigint,
  matured_at timestamptz,
  -- Staff took the purchase back.
  undone_at timestamptz,
  check ((status = 'COMPLETED') = (matured_at is not null)),
  constraint stake_undone check ((status = 'UNDONE') = (undone_at is not null))
);
create index stake_by_member on stake (member_id, is_omega, id desc);
create index stake_running_by_member on stake (member_id) where status = 'ACTIVE';
-- What runs of a plan, and what was sold in the last days: staff see what another plan would have meant.
create index stake_running_of on stake (plan_id) include (amount) where status = 'ACTIVE';
create index stake_by_time on stake using brin (started_at) with (autosummarize = on);
create index stake_by_end on stake ((coalesce(undone_at, matured_at))) where coalesce(undone_at, matured_at) is not null;
create index stake_to_mature on stake (matures_at, id) where status = 'ACTIVE';
-- The newest stakes of either kind of a member (the team tree shows them per person). Without it, the planner may walk
-- the primary key backwards past everybody else's stakes.
create index stake_newest_by_member on stake (member_id, id desc);

-- Who may read the calendar of a member without a session; only the digest of the token is kept.
create table calendar_link (
  member_id bigint primary key references member (id),
  token_digest text not null unique,
  created_at timestamptz not null
);

create trigger stake_counted after insert on stake
  referencing new table as fresh for each statement execute function stake_counted();
create trigger stake_recounted after update of is_omega, status, amount on stake
  for each row when ((case when not old.is_omega then 'stake' when old.is_omega then 'stake-log' end) is distinct from (case when not new.is_omega then 'stake' when new.is_omega then 'stake-log' end) or (old.status) is distinct from (new.status) or (old.amount) is distinct from (new.amount)) execute function stake_recounted();

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

-- modules/nfts/schema.sql
-- Staff list what members bought.
-- published: nft, nft_purchase

-- NFT catalogue, platform-wide supply and purchases (EN-36, MF-14, CO-22 to CO-25). Amounts and percentages are bigint
-- units of 10^-8.

create table nft (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  name text not null check (name <> ''),
  title text not null default '',
  price bigint not null check (price > 0),
  duration_months int not null check (duration_months between 1 and 1200),
  total_percent bigint not null check (total_percent >= 0),
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  created_at timestamptz not null,
  -- Of a planned one: when it begins to exist.
  starts_at timestamptz
);
-- What an NFT is to be from a moment on; `nfts_at` says what it is at a moment.
create table nft_next (
  nft_id bigint not null references nft (id) on delete cascade,
  starts_at timestamptz not null,
  kind text not null check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  name text not null check (name <> ''),
  title text not null,
  price bigint not null check (price > 0),
  duration_months int not null check (duration_months between 1 and 1200),
  total_percent bigint not null check (total_percent >= 0),
  status text not null check (status in ('ACTIVE', 'CLOSED')),
  primary key (nft_id, starts_at)
);

-- Units that exist and units sold, per kind. The check is the last word on the cap (invariant I9).
create table nft_supply (
  kind text primary key check (kind in ('dome', 'wagon', 'hotelAndResort', 'land')),
  cap int not null check (cap >= 0),
  sold int not null default 0,
  check (sold between 0 and cap)
);
insert into nft_supply (kind, cap) values ('dome', 10000), ('wagon', 25000), ('hotelAndResort', 55000), ('land', 110000);

create table nft_purchase (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  nft_id bigint not null references nft (id),
  kind text not null,
  name text not null,
  price bigint not null check (price > 0),
  paid_by text not null check (paid_by in ('depositwallet', 'nativewallet', 'mywallet')),
  paid_asset text not null check (paid_asset in ('usd', 'coin')),
  paid_amount bigint not null check (paid_amount > 0),
  -- USD for one coin when it was paid in coin (invariant I13).
  coin_price bigint,
  duration_months int not null check (duration_months > 0),
  total_percent bigint not null,
  monthly_reward bigint not null check (monthly_reward >= 0),
  -- CLOSED on the wire is an active one whose months have all been counted (`reward_progress`).
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'UNDONE')),
  programme_version int not null,
  purchased_at timestamptz not null,
  -- Ledger transfer of the price, for the receipt.
  transfer_id bigint,
  undone_at timestamptz,
  constraint nft_purchase_undone check ((status = 'UNDONE') = (undone_at is not null))
);
create index nft_purchase_by_member on nft_purchase (member_id, id desc);

create trigger nft_purchase_counted after insert on nft_purchase
  referencing new table as fresh for each statement execute function nft_purchase_counted();
create trigger nft_purchase_recounted after update of status, kind, price on nft_purchase
  for each row when ((case when old.status = 'UNDONE' then old.status else old.kind end) is distinct from (case when new.status = 'UNDONE' then new.status else new.kind end) or (old.price) is distinct from (new.price)) execute function nft_purchase_recounted();

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

-- modules/deposits/schema.sql
-- Staff follow money back to where it came from.
-- published: deposit

-- Deposits: hosted payments (MF-01) and in-app invoices (MF-02). One row is both the deposit request (EN-25) and the
-- payment record (EN-43), which always move together (EN-26). Amounts are bigint units of 10^-8.

create table deposit (
  id bigint generated always as identity primary key,
  -- The order id at the provider, and the id of the invoice page.
  public_id text not null unique,
  member_id bigint not null references member (id),
  way text not null check (way in ('hosted', 'chain')),
  -- What it is over; the provider takes dollars.
  asset text not null default 'USD' check (asset in ('USD', 'COIN') and (way = 'chain' or asset = 'USD')),
  -- What the payment record calls it: USDT or the token's symbol (LS-34).
  description text not null,
  -- Asked for, in its asset.
  amount bigint not null check (amount > 0),
  -- Credited so far, in the same asset.
  credited bigint not null default 0 check (credited >= 0),
  -- USD worth: of the amount asked for until something is credited, then of what was credited.
  usd_amount bigint not null check (usd_amount >= 0),
  -- Of that, what two of staff took back again.
  reversed_usd bigint not null default 0 check (reversed_usd between 0 and usd_amount),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVE', 'REJECT')),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- When the provider or the chain is asked again; null when nothing can come any more.
  next_check_at timestamptz,
  -- The call that opened it: a repeat with the same key gets the same invoice (invariant I5).
  idempotency_key text,
  -- Hosted: since when the provider is being asked for the invoice, and what it gave.
  provider_asked_at timestamptz,
  provider_invoice_id text,
  invoice_url text,
  -- Chain: where the token has to go, until when, and until when the address is watched.
  address text unique,
  expires_at timestamptz,
  watched_until timestamptz,
  state text,
  state_reason text,
  -- A first approval that waits for the second.
  first_approved_by bigint references member (id) check (first_approved_by <> member_id),
  first_approved_at timestamptz check ((first_approved_at is null) = (first_approved_by is null)),
  -- Over who approved first and what, by a key that the database has not.
  first_seal bytea check ((first_seal is null) = (first_approved_by is null)),
  -- Once a person has decided, what arrives later is looked at by a person too.
  by_hand boolean not null default false,
  unique (member_id, idempotency_key),
  check ((way = 'chain') = (address is not null and expires_at is not null and watched_until is not null and state is not null)),
  check (credited = 0 or status = 'APPROVE')
);
create index deposit_by_member on deposit (member_id, id desc);
create index deposit_by_time on deposit using brin (created_at) with (autosummarize = on, pages_per_range = 16);
create index deposit_sum_by_member on deposit (member_id, status) include (usd_amount);
create index deposit_to_check on deposit (way, next_check_at) where next_check_at is not null;
create index deposit_hosted_pending on deposit (id) where way = 'hosted' and status = 'PENDING';
create index deposit_hosted_by_time on deposit (created_at) where way = 'hosted';
create index deposit_first_approved on deposit (id) where first_approved_by is not null;
create index deposit_by_hand on deposit (id) where by_hand;

-- What people decided about deposits: payments that could not be credited by themselves, orders whose payment
-- was seen at the provider only, and what came over the chain and no rule credits. A payment that comes later may ask for another decision; each stays with all who made it.
create table deposit_decision (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposit (id),
  member_id bigint not null references member (id),
  first_approved_by bigint references member (id),
  first_approved_at timestamptz,
  first_seal bytea,
  decided_by bigint not null references member (id),
  decided_at timestamptz not null,
  outcome text not null check (outcome in ('APPROVED', 'REJECTED')),
  -- What it credited, in USD.
  credited bigint not null check (credited >= 0),
  reason text not null,
  check (decided_by <> member_id and first_approved_by is distinct from member_id),
  check (decided_by is distinct from first_approved_by),
  check ((first_approved_at is null) = (first_approved_by is null)),
  check ((first_seal is null) = (first_approved_by is null)),
  check (outcome = 'APPROVED' or credited = 0 and first_approved_by is null)
);
create index deposit_decision_by_deposit on deposit_decision (deposit_id, id);
create index deposit_decision_by_time on deposit_decision using brin (decided_at) with (autosummarize = on, pages_per_range = 16);
create index deposit_decision_alone on deposit_decision (decided_by, decided_at) where first_approved_by is null;
create index deposit_decision_by_member on deposit_decision (member_id, decided_at) where first_approved_by is null;

-- Payments of hosted invoices, by the provider's own id. Of each, what arrived is credited once (invariant I8).
create table provider_payment (
  payment_id text primary key,
  deposit_id bigint not null references deposit (id),
  status text not null,
  pay_currency text not null,
  -- Rounded down from what the provider wrote, which may count finer than the house.
  actually_paid bigint not null check (actually_paid >= 0),
  paid_text text not null,
  -- The sum of its rows in payment_credit.
  credited_amount bigint not null default 0 check (credited_amount >= 0),
  -- Why a person has to look at it: what no rule credits.
  review_reason text,
  updated_at timestamptz not null,
  reviewed_at timestamptz
);
create index provider_payment_by_deposit on provider_payment (deposit_id);
create index provider_payment_to_review on provider_payment (updated_at) where review_reason is not null;
create index provider_payment_open_review on provider_payment (deposit_id) where review_reason is not null and reviewed_at is null;

-- Credits of a payment: a partial one grows, and each time the rest is credited.
create table payment_credit (
  payment_id text not null references provider_payment (payment_id),
  part int not null check (part > 0),
  amount bigint not null check (amount > 0),
  credited_at timestamptz not null,
  transfer_id bigint not null,
  primary key (payment_id, part)
);
create index payment_credit_by_transfer on payment_credit (transfer_id);
create index payment_credit_by_time on payment_credit using brin (credited_at) with (autosummarize = on, pages_per_range = 16);

-- Signed notices as they came.
create table payment_notice (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  payment_id text not null,
  order_id text not null,
  body text not null
);
create index payment_notice_by_age on payment_notice (received_at);
create index payment_notice_by_order on payment_notice (order_id);

-- Token transfers to invoice addresses. The key is chain, transaction, token, address and ordinal inside the
-- transaction: stable when a reorganisation moves the transaction (invariant I8).
create table invoice_transfer (
  transfer_key text primary key,
  deposit_id bigint not null references deposit (id),
  asset text not null check (asset in ('USD', 'COIN')),
  amount bigint not null check (amount > 0),
  tx_hash text not null,
  block_time timestamptz not null,
  confirmations int not null check (confirmations >= 0),
  -- False while a reorganisation has taken it out of the chain.
  is_live boolean not null default true,
  -- Why no rule credits it: it is another token than the invoice is over, or came once nobody watched for it any more. Since when
  -- that is known, and when people have decided.
  held text check (held in ('OTHER_TOKEN', 'TOO_LATE')),
  held_at timestamptz check ((held_at is null) = (held is null)),
  decided_at timestamptz check (decided_at is null or held is not null),
  credited_at timestamptz,
  -- What it was worth when it was credited; of what people have to decide, when that became known.
  usd_amount bigint check (usd_amount >= 0),
  transfer_id bigint,
  check ((usd_amount is null) = (credited_at is null and held is null)),
  check (credited_at is null or held is null or decided_at is not null)
);
create index invoice_transfer_by_hash on invoice_transfer (lower(tx_hash));
create index invoice_transfer_by_deposit on invoice_transfer (deposit_id);
create index invoice_transfer_by_credit on invoice_transfer (credited_at) where credited_at is not null;
create index invoice_transfer_to_decide on invoice_transfer (deposit_id) where held is not null and decided_at is null;
-- What the hourly comparison of chain and books asks for: what people refused, and what was taken back again.
create index invoice_transfer_refused on invoice_transfer (decided_at) where held is not null and decided_at is not null and credited_at is null;
create index invoice_transfer_by_transfer on invoice_transfer (transfer_id) where transfer_id is not null;

-- How far the provider's list of payments was gone through, which finds what no notice told and no order was asked about.
create table provider_look (
  one boolean primary key default true check (one),
  looked_at timestamptz not null,
  -- All payments that were begun before it have been listed, and when those of a month last were again.
  listed_to timestamptz not null,
  month_at timestamptz not null,
  -- Payments there that are of no order of ours, and credited ones that the provider does not know: at most twenty of each.
  strange text[] not null,
  missing text[] not null
);

create trigger deposit_counted after insert on deposit
  referencing new table as fresh for each statement execute function deposit_counted();
create trigger deposit_recounted after update of status, usd_amount, reversed_usd on deposit
  for each row when ((old.status) is distinct from (new.status) or (old.usd_amount - old.reversed_usd) is distinct from (new.usd_amount - new.reversed_usd)) execute function deposit_recounted();

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

-- modules/withdrawals/schema.sql
-- Staff compare where payouts go.
-- published: payout_request, network_cost

-- Payouts that members ask for: USD withdrawals (MF-03) and coin bridges (MF-04). The amount is on hold in the ledger
-- until staff decide; a decision is made once.
create table payout_request (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  kind text not null check (kind in ('withdrawal', 'bridge')),
  member_id bigint not null references member (id),
  amount bigint not null check (amount > 0),
  platform_fee bigint not null check (platform_fee >= 0),
  network_fee bigint not null check (network_fee >= 0),
  received bigint not null check (received >= 0),
  address text not null,
  network int not null check (network in (0, 1, 2)),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  hold_id bigint not null unique,
  settings_version int not null references setting (version),
  created_at timestamptz not null,
  first_approved_by bigint references member (id),
  first_approved_at timestamptz,
  -- Over who approved first, by a key that the database has not: the second of two stands beside a first one.
  first_seal bytea,
  decided_by bigint references member (id),
  decided_at timestamptz,
  reason text,
  tx_hash text,
  -- A payout waits for its owner until `confirm_by`; staff see it once it is confirmed.
  confirm_by timestamptz not null,
  confirmed_at timestamptz,
  confirmed_how text check (confirmed_how in ('book', 'step-up', 'page', 'link')),
  -- Digest of the step-up that came with the call: each counts once.
  step_up_digest text,
  -- Over what its owner asked for and confirmed, by a key that the database has not: a changed row is never approved.
  owner_seal bytea not null,
  -- Why nobody of the staff decided: it went back before that.
  taken_back text check (taken_back in ('cancelled', 'expired', 'stopped')),
  -- When it came back after it had been approved: the chain proved that it can't arrive.
  returned_at timestamptz,
  check (platform_fee + network_fee + received = amount),
  check (first_approved_by is distinct from decided_by or first_approved_by is null),
  check ((first_approved_by is null) = (first_seal is null)),
  check (decided_by is distinct from member_id or decided_by is null),
  check ((status = 'PENDING') = (decided_at is null)),
  check ((confirmed_at is null) = (confirmed_how is null)),
  check (status <> 'APPROVED' or confirmed_at is not null),
  check (taken_back is null or status = 'REJECTED' and decided_by is null),
  check (returned_at is null or status = 'REJECTED' and decided_by is not null and confirmed_at is not null)
);
create index payout_request_by_member on payout_request (member_id, kind, id desc);
create index payout_request_of_day on payout_request (member_id, created_at);
create index payout_request_paid on payout_request (kind, decided_at) where status = 'APPROVED';
create index payout_request_queue on payout_request (kind, id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_open on payout_request (id) where status = 'PENDING' and confirmed_at is not null;
create index payout_request_unconfirmed on payout_request (confirm_by) where status = 'PENDING' and confirmed_at is null;
create index payout_request_decided on payout_request (kind, id desc) where decided_by is not null;
create index payout_request_by_decider on payout_request (decided_by, decided_at) where first_approved_by is null and decided_by is not null;
create unique index payout_request_by_step_up on payout_request (step_up_digest) where step_up_digest is not null;
create index payout_request_by_hash on payout_request (lower(tx_hash)) where tx_hash is not null;
create index payout_request_by_address on payout_request (lower(address), member_id);
-- What was asked for, decided or given back since a moment: the audit looks at that.
create index payout_request_by_time on payout_request using brin (created_at) with (autosummarize = on, pages_per_range = 16);
create index payout_request_by_decision on payout_request (decided_at) where decided_at is not null;
create index payout_request_by_return on payout_request (returned_at) where returned_at is not null;

-- What owners of payouts are to be told, written with its cause. A sweep makes mails of it: no call waits for their sealing.
create table payout_word (
  id bigint generated always as identity primary key,
  -- `public_id` of the payout.
  request text not null,
  step text not null,
  said_at timestamptz not null
);

-- Address books of members. Payouts to an address need no confirmation from `usable_from` on, which is set when the entry is
-- confirmed. `address_key` is the one form of an address: hex in small letters, base58 as it is.
create table payout_address (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  network int not null check (network in (0, 1, 2)),
  address text not null,
  address_key text not null,
  label text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  usable_from timestamptz,
  removed_at timestamptz,
  check ((confirmed_at is null) = (usable_from is null))
);
create index payout_address_by_key on payout_address (address_key, member_id);
create unique index payout_address_in_book on payout_address (member_id, network, address_key) where removed_at is null;

-- Approved payouts that the product sends itself, each by one nonce of the hot wallet. From SIGNED on money goes back only
-- with proof of the chain that it can't arrive any more (docs/decisions/0017-payouts-are-sent-once.md).
create table payout_sending (
  request_id bigint primary key references payout_request (id),
  chain_id bigint not null,
  token text not null check (token = lower(token)),
  to_address text not null check (to_address = lower(to_address)),
  -- In the token's smallest unit.
  exact_amount numeric(78, 0) not null check (exact_amount > 0),
  -- Over what was approved, by a key that the database has not: a changed row is never signed.
  approval_seal bytea not null,
  queued_at timestamptz not null,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'SIGNED', 'MINED', 'DONE', 'FAILED', 'CANCELLED')),
  wallet text,
  nonce bigint check (nonce >= 0),
  signed_at timestamptz,
  -- Why it does not go on, for people to read.
  problem text,
  cancel_asked_at timestamptz,
  -- What two people decided where the chain leaves it open.
  answer text check (answer in ('GIVE_BACK', 'ARRIVED')),
  ended_at timestamptz,
  unique (chain_id, wallet, nonce),
  check ((wallet is null) = (nonce is null) and (nonce is null) = (signed_at is null)),
  check (state <> 'QUEUED' or nonce is null),
  check (state in ('QUEUED', 'CANCELLED') or nonce is not null),
  check ((ended_at is null) = (state in ('QUEUED', 'SIGNED', 'MINED'))),
  check (state <> 'CANCELLED' or cancel_asked_at is not null)
);
-- A number that was given to a payout stays its own, so that no other is ever signed for it: without this a row that is put back
-- into the line is paid again.
create trigger payout_sending_number_stays before delete or update of wallet, nonce on payout_sending
  for each row execute function keep_payout_number();
create index payout_sending_open on payout_sending (request_id) where state in ('QUEUED', 'SIGNED', 'MINED');
create index payout_sending_by_end on payout_sending (ended_at) where ended_at is not null;
create index payout_sending_signed on payout_sending (token, signed_at) where signed_at is not null;

-- Signed transactions, stored before they are sent: the same one goes out again until the chain has it. All of a payout share
-- its nonce, so that one of them can be mined at most.
create table payout_transaction (
  hash text primary key,
  request_id bigint not null references payout_sending (request_id),
  purpose text not null check (purpose in ('PAYMENT', 'CANCEL')),
  raw text not null,
  -- Wei for a unit of gas.
  gas_price numeric(78, 0) not null check (gas_price >= 0),
  made_at timestamptz not null,
  sent_at timestamptz,
  block bigint,
  block_hash text,
  gas_used bigint,
  -- Wei in all.
  gas_paid numeric(78, 0),
  check ((block is null) = (block_hash is null))
);
-- What was signed stays: money comes back when none of a payout's transactions can arrive any more.
create trigger payout_transaction_stays before delete or update of hash, request_id, purpose, raw on payout_transaction
  for each row execute function refuse_change();
create index payout_transaction_mined on payout_transaction (made_at) where block is not null;
create index payout_transaction_of on payout_transaction (request_id, made_at);

-- The next nonce of each hot wallet. Nobody else may use its key.
create table hot_wallet (
  chain_id bigint not null,
  address text not null check (address = lower(address)),
  next_nonce bigint not null check (next_nonce >= 0),
  primary key (chain_id, address)
);

-- What the network took for our own transactions once they are final, payouts and moves alike, booked at what it was worth.
create table network_cost (
  -- Of the transaction that got into a block.
  hash text primary key,
  source text not null check (source in ('PAYOUT', 'MOVE')),
  -- Of the chain's own coin.
  wei numeric(78, 0) not null check (wei >= 0),
  -- Units of USD that a whole one of it was worth by the settings when it was booked, and what the costs come to, rounded up.
  price bigint not null check (price > 0),
  usd bigint not null check (usd >= 0),
  ended_at timestamptz not null,
  booked_at timestamptz not null
);
create index network_cost_by_end on network_cost (source, ended_at);

create trigger payout_request_counted after insert on payout_request
  referencing new table as fresh for each statement execute function payout_request_counted();
create trigger payout_request_recounted after update of kind, status, amount on payout_request
  for each row when ((case when old.kind = 'withdrawal' then 'withdrawal' when old.kind = 'bridge' then 'bridge' end) is distinct from (case when new.kind = 'withdrawal' then 'withdrawal' when new.kind = 'bridge' then 'bridge' end) or (old.status) is distinct from (new.status) or (old.amount) is distinct from (new.amount)) execute function payout_request_recounted();

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

-- modules/transfers/schema.sql
-- Exchanges from the ICO wallet to my wallet (EN-17).
create table wallet_exchange (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  amount bigint not null check (amount > 0),
  settings_version int not null references setting (version),
  posting_id bigint not null,
  created_at timestamptz not null
);
create index wallet_exchange_by_member on wallet_exchange (member_id, id desc);
create index wallet_exchange_by_time on wallet_exchange using brin (created_at) with (autosummarize = on, pages_per_range = 16);

create trigger wallet_exchange_counted after insert on wallet_exchange
  referencing new table as fresh for each statement execute function wallet_exchange_counted();
create trigger wallet_exchange_recounted after update of amount on wallet_exchange
  for each row when ((old.amount) is distinct from (new.amount)) execute function wallet_exchange_recounted();

-- modules/support/functions.sql
create or replace function ticket_counted() returns trigger language plpgsql as $$
begin
  insert into member_tally as held (member_id, list, bucket, rows, amount)
  select r.member_id, 'ticket', '', count(*), sum(0) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = held.rows + excluded.rows, amount = held.amount + excluded.amount;
  return null;
end $$;

-- modules/support/schema.sql
-- Support tickets, their messages and their pictures (EN-51). Pictures are re-encoded before they are stored.
create table ticket_image (
  id text primary key,
  member_id bigint not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz not null
);
create index ticket_image_by_member on ticket_image (member_id);

create table ticket (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  title text not null,
  description text not null,
  image_id text references ticket_image (id),
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSED')),
  -- Whose turn it is: a member's message puts the ticket back into the queue.
  awaits_staff boolean not null default true,
  created_at timestamptz not null,
  last_message_at timestamptz not null,
  first_answered_at timestamptz,
  closed_at timestamptz,
  -- The row of a list of theirs that the member reported, as its receipt is named.
  about_kind text,
  about_id text,
  -- Who of the staff has it, and the words that staff sort it by.
  assignee_id bigint references member (id),
  tags text[] not null default '{}',
  check ((about_kind is null) = (about_id is null))
);
create index ticket_by_member on ticket (member_id, id desc);
-- The desk's views, in their order: whoever waits longest first, what was said last first.
create index ticket_queue on ticket (last_message_at, id) where status = 'OPEN' and awaits_staff;
create index ticket_answered on ticket (last_message_at desc, id desc) where status = 'OPEN' and not awaits_staff;
create index ticket_assigned on ticket (assignee_id, last_message_at, id) where status = 'OPEN';
create index ticket_closed on ticket (closed_at desc, id desc) where status = 'CLOSED';
-- How many had their first answer in time (staff-tickets.queries.ts), without a look at the rows.
create index ticket_by_day on ticket (created_at) include (first_answered_at, closed_at);
create index ticket_by_tag on ticket using gin (tags);

create table ticket_message (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references ticket (id),
  author_id bigint not null references member (id),
  role text not null check (role in ('USER', 'SUPPORT', 'ADMIN')),
  message text not null,
  image_id text references ticket_image (id),
  created_at timestamptz not null,
  -- Receipts of the member that the house put into it: [{kind, id, title}].
  receipts jsonb not null default '[]'
);
create index ticket_message_by_ticket on ticket_message (ticket_id, id);

create trigger ticket_counted after insert on ticket
  referencing new table as fresh for each statement execute function ticket_counted();

-- modules/announcements/schema.sql
-- The announcement popup (EN-19): the one that began last is the one in force.
create table announcement (
  id bigint generated always as identity primary key,
  title text not null,
  message text not null,
  is_active boolean not null,
  created_at timestamptz not null,
  created_by bigint references member (id),
  starts_at timestamptz not null check (starts_at >= created_at)
);
create index announcement_by_start on announcement (starts_at desc, id desc);

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

-- modules/staff/schema.sql
-- What one member of staff proposes and another one puts in force (four eyes, ASVS 2.3.5), at once or from a moment on.
-- `value` and `base` are JSON as they stood, amounts as plain decimals; `base` is what held, or was to hold at the start, for
-- the same keys when it was proposed. An approved one with a start to come is planned; from its start on it is in force.
create table staff_change (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  subject text not null check (subject in
    ('price', 'settings', 'plan', 'nft', 'popup', 'limits', 'programme', 'cover', 'credit', 'fund', 'staff', 'undo', 'cancel-rewards',
     'second-factor', 'sessions', 'status', 'lift-stop', 'reversal', 'chain-answer', 'special', 'rank')),
  value jsonb not null,
  base jsonb not null,
  reason text not null check (reason <> ''),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REFUSED', 'CANCELLED', 'OUTDATED')),
  proposed_by bigint not null references member (id),
  created_at timestamptz not null,
  decided_by bigint references member (id),
  decision_reason text,
  decided_at timestamptz,
  -- Null: on approval.
  starts_at timestamptz check (starts_at > created_at),
  -- What it was to do by the figures of that day: {rows, restsOn, hash, at}.
  effect jsonb,
  -- Taken back by a person before its start, or fallen: what it rested on has changed, or its people are gone.
  ended_at timestamptz,
  ended_by bigint references member (id),
  end_reason text,
  -- Of the programme: which simulation its maker had seen (`programme_simulation`).
  simulation text,
  -- Over who proposed it and what, by a key that the database has not: whoever approves is the second person.
  maker_seal bytea not null,
  check ((subject = 'programme') = (simulation is not null)),
  check (status not in ('PENDING', 'OUTDATED') or decided_at is null or starts_at is not null),
  check (status <> 'PENDING' or decided_at is null),
  check (status not in ('APPROVED', 'REFUSED', 'CANCELLED') or decided_at is not null),
  check ((decided_by is null) = (decided_at is null)),
  check ((status in ('CANCELLED', 'OUTDATED')) = (ended_at is not null)),
  constraint staff_change_ends_before_its_start check (decided_at is null or ended_at < starts_at),
  -- Maker and checker differ; a maker may only take the own proposal back.
  constraint staff_change_maker_is_not_checker check (status in ('PENDING', 'REFUSED') or decided_by is distinct from proposed_by)
);
create index staff_change_pending on staff_change (id) where status = 'PENDING';
create index staff_change_planned on staff_change (starts_at, id) where status = 'APPROVED' and starts_at is not null;
-- Which change made a value what it is.
create index staff_change_of on staff_change (subject, id desc) where status = 'APPROVED';
create trigger staff_change_fixed before update or delete on staff_change for each row execute function keep_staff_change();

-- What drafts of the programme came to on days of the past. A draft may be proposed, and approved, on the strength of a new one.
create table programme_simulation (
  -- The job's id on the wire: its result and file.
  id text primary key,
  asked_by bigint not null references member (id),
  -- Stands for all rules of the draft; for them, the days and their runs and what a group could take out; and for that with the figures.
  rules text not null,
  first_day date not null,
  last_day date not null,
  ground text not null,
  hash text not null,
  made_at timestamptz not null,
  -- The order in which they ended.
  number bigint generated always as identity
);
create index programme_simulation_of on programme_simulation (rules, number desc);
create index programme_simulation_by_time on programme_simulation (made_at);

-- Members who may have referred themselves: somebody of the five levels above, who earns from them, was seen at the same
-- address, with the same browser, or asked for a payout to the same wallet address. A hint for staff, not a proof. A sweep
-- looks at new sessions and payouts only; a row stays when the sessions behind it are gone.
create table shared_trace (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  upline_id bigint not null references member (id),
  level smallint not null check (level between 1 and 5),
  same_address boolean not null,
  same_device boolean not null,
  same_payout_address boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- In how many batches of sessions and payouts it was seen.
  times int not null default 1,
  -- What staff made of it: a household, or somebody to keep an eye on.
  verdict text check (verdict in ('harmless', 'watch')),
  reviewed_by bigint references member (id),
  reviewed_at timestamptz,
  review_reason text,
  check ((verdict is null) = (reviewed_at is null) and (verdict is null) = (reviewed_by is null) and (verdict is null) = (review_reason is null)),
  unique (member_id, upline_id),
  -- A sponsor exists before those it brings.
  check (upline_id < member_id),
  check (same_address or same_payout_address),
  check (same_address or not same_device)
);
create index shared_trace_by_verdict on shared_trace (coalesce(verdict, 'open'), id desc);
create index shared_trace_by_upline on shared_trace (upline_id, id desc);
create table shared_trace_progress (
  one boolean primary key default true check (one),
  session_id bigint not null default 0,
  payout_id bigint not null default 0
);
insert into shared_trace_progress default values;

-- What staff write for each other beside a ticket or a member. Apart from what members are shown, so that no call of
-- theirs can reach it.
create table staff_note (
  id bigint generated always as identity primary key,
  ticket_id bigint references ticket (id),
  member_id bigint references member (id),
  author_id bigint not null references member (id),
  text text not null check (text <> ''),
  created_at timestamptz not null,
  check (num_nonnulls(ticket_id, member_id) = 1)
);
create index staff_note_by_ticket on staff_note (ticket_id, id desc) where ticket_id is not null;
create index staff_note_by_member on staff_note (member_id, id desc) where member_id is not null;
create trigger staff_note_append_only before update or delete on staff_note for each row execute function refuse_change();

-- Replies that staff begin with. Gaps such as {firstName} are filled before one is sent.
create table saved_reply (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  text text not null,
  tags text[] not null default '{}',
  uses int not null default 0,
  written_by bigint not null references member (id),
  updated_at timestamptz not null,
  dropped_at timestamptz
);
create index saved_reply_kept on saved_reply (uses desc, id) where dropped_at is null;
-- Where staff are, for their colleagues to see; a row lasts 45 seconds.
create table staff_presence (
  member_id bigint not null references member (id),
  place text not null,
  doing text not null check (doing in ('looking', 'writing', 'noting')),
  at timestamptz not null,
  primary key (member_id, place)
);

-- What is wrong with the house, from when it was seen until it is gone (watch-house.ts). A red one stopped the house.
create table staff_incident (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  level text not null check (level in ('amber', 'red')),
  text text not null,
  since timestamptz not null,
  taken_by bigint references member (id),
  taken_at timestamptz,
  ended_at timestamptz,
  check ((taken_by is null) = (taken_at is null))
);
create unique index staff_incident_open on staff_incident (name) where ended_at is null;

-- What the house's accounts held at the end of each UTC day that is over, and what came and went since the one before; moves
-- between the slots of an account are none (house-days.ts).
create table house_day (
  day date not null,
  house text not null,
  asset text not null,
  balance bigint not null,
  came_in bigint not null,
  went_out bigint not null,
  primary key (day, house, asset)
);

-- The head of the audit log at the start of each UTC day, on its way out of the database: into a file of the data folder and by
-- mail to the admins. What is compared is what stands outside; this only says what has to go there.
create table audit_anchor (
  day date primary key,
  event_id bigint not null,
  hash text not null,
  at timestamptz not null,
  kept_at timestamptz
);
create index audit_anchor_unkept on audit_anchor (day) where kept_at is null;
-- How the audit log stood when all of it was last checked.
create table audit_check (
  one boolean primary key default true check (one),
  checked_at timestamptz not null,
  took_ms bigint not null,
  rows bigint not null,
  last_row bigint not null,
  bad_row bigint,
  bad_what text check (bad_what in ('CHANGED', 'CUT', 'FORGED')),
  anchor_row bigint,
  anchor_hash text,
  anchor_at timestamptz,
  check ((bad_row is null) = (bad_what is null))
);

-- modules/trust/schema.sql
-- Published trees of balances: every member can check that their own balances are in the root (invariant I1).
create table trust_snapshot (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  day date not null unique,
  at timestamptz not null,
  root text not null,
  members bigint not null,
  levels int not null,
  -- Whether all accounts of each asset added up to nothing, and the last transfer that was in.
  balanced boolean not null,
  transfers bigint not null,
  secret text not null
);
create table trust_leaf (
  snapshot_id bigint not null references trust_snapshot (id),
  member_id bigint not null,
  position bigint not null,
  leaf text not null,
  primary key (snapshot_id, member_id)
);
create table trust_node (
  snapshot_id bigint not null references trust_snapshot (id),
  level int not null,
  position bigint not null,
  hash bytea not null,
  primary key (snapshot_id, level, position)
);

-- What the house holds on the chain, as it last said so under the key of its hot wallet.
create table trust_reserve (
  one boolean primary key default true check (one),
  at timestamptz not null,
  chain_id bigint not null,
  signer text not null check (signer = lower(signer)),
  -- By address and token; amounts in units, as text.
  holdings jsonb not null,
  said text not null,
  signature text not null
);
