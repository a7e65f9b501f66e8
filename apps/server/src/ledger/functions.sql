-- Returns the id of one shard of an account. A member's wallet: member id * 16 + the wallet's number. A system account:
-- -(its number * 1000 + asset * 100 + shard). chart-of-accounts.ts holds the same rule.
create or replace function ledger_account_number(owner_id bigint, kind text, asset text, shard int) returns bigint
language sql immutable parallel safe as $$
  select case
    when owner_id > 0 and shard = 0 then owner_id * 16 + case kind || ' ' || asset
      when 'depositWallet USD' then 1 when 'nativeWallet COIN' then 2 when 'icoWallet COIN' then 3
      when 'newIcoWallet COIN' then 4 when 'stakeWallet COIN' then 5 when 'nftWallet USD' then 6
      when 'rcmWallet COIN' then 7 end
    when owner_id is null and shard between 0 and 99 then -(shard + case asset when 'USD' then 100 when 'COIN' then 200 end
      + 1000 * case kind when 'SYS-ISSUE' then 1 when 'SYS-DEPOSIT' then 2 when 'SYS-WITHDRAW' then 3
      when 'SYS-BRIDGE' then 4 when 'SYS-FEE' then 5 when 'SYS-SALES' then 6 when 'SYS-COIN' then 7
      when 'SYS-CONVERT' then 8 when 'SYS-REWARD' then 9 when 'SYS-HOLD' then 10 when 'SYS-OPERATOR' then 11 when 'SYS-GAS' then 12
      when 'SYS-LOSS' then 13 when 'SYS-IMPORT' then 14 end)
  end
$$;

-- Rejects changes to ledger rows. A correction is a new transfer.
create or replace function ledger_reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- Opens the seven wallets of each given member. Existing wallets stay unchanged.
create or replace function ledger_open_accounts(owners bigint[]) returns void language sql as $$
  insert into ledger_account (id, owner_id, kind, asset)
  select ledger_account_number(o.owner, w.kind, w.asset, 0), o.owner, w.kind, w.asset
  from unnest(owners) o (owner),
    (values ('depositWallet', 'USD'), ('nativeWallet', 'COIN'), ('icoWallet', 'COIN'), ('newIcoWallet', 'COIN'),
      ('stakeWallet', 'COIN'), ('nftWallet', 'USD'), ('rcmWallet', 'COIN')) w (kind, asset)
  order by 1
  on conflict (id) do nothing
$$;

-- Posts a batch of postings. A posting is one or more transfers, all or none. A rejected posting does not affect the others.
-- Result rows, by outcome:
--   posted      one per requested transfer, in order, with the transfer's id and both balances after the transfer
--   repeated    the same rows as for the earlier posting under the same key
--   short       rejected: `account` does not hold the amount. For a system account, `debit_after` is the sum of all shards
--   busy        rejected: other transactions lock the needed shards of the system account `account`
--   key_reused  rejected: a different posting has the key
-- The function is safe at READ COMMITTED. It locks the keys in order, then all accounts once in order of number, and draws transfer
-- ids last. Sorted by id, an account's transfers therefore show the balances in the order of the changes. Further shards of a system
-- account are locked only if they are free, so that no deadlock can occur.
-- `accounts` is distinct and ascending, `t_debit` and `t_credit` are indexes into `accounts`, and `t_posting` counts from 1 without gaps.
-- New money (RW-01) is the part of a deposit wallet's balance from confirmed deposits that has not earned a referral reward yet. Only
-- this function moves new money; only a deposit wallet keeps received new money. `t_new` is the amount of new money to move. A system
-- account moves exactly `t_new`. A wallet moves at least `t_new`, and more if the wallet's other money does not suffice. If `t_new` is
-- null, a wallet moves other money first. A deposit first reduces the wallet's new-money debt (ledger_new_money_debt).
create or replace function ledger_post(
  accounts bigint[], t_posting int[], t_debit int[], t_credit int[], t_amount bigint[], t_kind text[], t_new bigint[],
  p_cause_type text[], p_cause_id text[], p_rule_version int[], p_at timestamptz[], p_key text[], p_pending boolean[], p_resolves bigint[]
) returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];          -- account numbers; the arrays below have the same order
  balances bigint[];
  news bigint[];
  debts bigint[];        -- new-money debts of wallets, once loaded
  floors bigint[];
  assets text[];
  hits int[];            -- transfers on each account
  earlier bigint[];      -- posting id under each key, if any
  known int;             -- number of locked accounts
  -- Accepted transfers.
  o_posting int[] := '{}'; o_posting_id bigint[] := '{}'; o_id bigint[] := '{}'; o_debit int[] := '{}'; o_credit int[] := '{}';
  o_amount bigint[] := '{}'; o_kind text[] := '{}'; o_debit_after bigint[] := '{}'; o_credit_after bigint[] := '{}'; o_asked boolean[] := '{}';
  o_new bigint[] := '{}'; o_filled bigint[] := '{}';
  o_count int := 0;
  at_work int := 0;      -- current posting; `mark`: accepted transfers before this posting; `given_up`: the posting is finished
  mark int := 0;
  given_up boolean := false;
  first_id bigint;
  d int; c int; amount bigint; lacking bigint; next_id bigint; carried bigint; filled bigint;
  sibling record; ordinal int; move bigint; was_locked boolean; written int;
begin
  if p_key is not null then
    perform pg_advisory_xact_lock(k.h) from (select distinct hashtextextended(key, 7) as h from unnest(p_key) key where key is not null order by 1) k;
    select array_agg(t.posting_id order by k.ordinal) into earlier
      from unnest(p_key) with ordinality k (key, ordinal) left join ledger_transfer t on t.key = k.key;
  end if;

  select array_agg(l.id), array_agg(l.balance), array_agg(l.new_money), array_agg(l.min_balance), array_agg(l.asset), array_agg(0)
    into ids, balances, news, floors, assets, hits
    from (select a.id, a.balance, a.new_money, a.min_balance, a.asset from ledger_account a
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
      -- Moves money from other shards of the system account, largest balance first. The reward pool is excluded, because each of
      -- its shards holds the money of one reward worker.
      if ids[d] < 0 and ids[d] / 1000 <> -9 then
        for sibling in
          select a.id, a.balance, a.min_balance, a.asset from ledger_account a
          where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100) and a.id <> all (ids)
          order by a.balance desc for no key update skip locked
        loop
          ids := ids || sibling.id; balances := balances || sibling.balance; news := news || 0::bigint; floors := floors || sibling.min_balance;
          assets := assets || sibling.asset; hits := hits || 0; known := known + 1;
        end loop;
        for sibling in
          select s.ordinal::int as ordinal from unnest(ids) with ordinality s (id, ordinal)
          where s.id / 100 = ids[d] / 100 and s.id <> ids[d] order by balances[s.ordinal] desc
        loop
          exit when lacking <= 0;
          ordinal := sibling.ordinal;
          -- Moves at least half of the shard's balance, so that the next transfers find money here.
          move := least(balances[ordinal], greatest(lacking, balances[ordinal] / 2));
          continue when move <= 0;
          next_id := nextval('ledger_transfer_id_seq');
          first_id := coalesce(first_id, next_id);
          balances[ordinal] := balances[ordinal] - move; balances[d] := balances[d] + move;
          hits[ordinal] := hits[ordinal] + 1; hits[d] := hits[d] + 1;
          o_count := o_count + 1;
          o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
          o_debit[o_count] := ordinal; o_credit[o_count] := d; o_amount[o_count] := move; o_kind[o_count] := 'shardMove';
          o_debit_after[o_count] := balances[ordinal]; o_credit_after[o_count] := balances[d]; o_asked[o_count] := false;
          o_new[o_count] := 0; o_filled[o_count] := 0;
          lacking := lacking - move;
        end loop;
        if lacking > 0 then
          select count(*) > (select count(*) from unnest(ids) s (id) where s.id / 100 = ids[d] / 100) into was_locked
            from ledger_account a where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100);
        end if;
      end if;
    end if;

    if lacking > 0 then
      -- Reverts the accepted transfers of this posting.
      given_up := true;
      for j in reverse o_count .. mark + 1 loop
        balances[o_debit[j]] := balances[o_debit[j]] + o_amount[j]; balances[o_credit[j]] := balances[o_credit[j]] - o_amount[j];
        hits[o_debit[j]] := hits[o_debit[j]] - 1; hits[o_credit[j]] := hits[o_credit[j]] - 1;
        if ids[o_debit[j]] > 0 then news[o_debit[j]] := news[o_debit[j]] + o_new[j]; end if;
        if ledger_keeps_new_money(ids[o_credit[j]]) then news[o_credit[j]] := news[o_credit[j]] - o_new[j]; end if;
        if o_filled[j] > 0 then debts[o_credit[j]] := debts[o_credit[j]] + o_filled[j]; end if;
      end loop;
      o_count := mark;
      posting := at_work; outcome := case when was_locked then 'busy' else 'short' end; account := ids[d];
      debit_after := (select sum(s.balance) from unnest(ids, balances) s (id, balance) where s.id < 0 and s.id / 100 = ids[d] / 100);
      return next;
      continue;
    end if;

    carried := least(coalesce(t_new[i], 0), amount);
    filled := 0;
    if ids[d] > 0 then
      carried := greatest(least(carried, news[d]), news[d] - (balances[d] - amount));
      news[d] := news[d] - carried;
    elsif carried > 0 and ids[d] / 1000 = -2 then
      -- From SYS-DEPOSIT.
      debts := coalesce(debts, array_fill(null::bigint, array[cardinality(ids)]));
      if debts[c] is null then
        debts[c] := coalesce((select w.owed from ledger_new_money_debt w where w.account = ids[c]), 0);
      end if;
      filled := least(carried, debts[c]);
      debts[c] := debts[c] - filled;
      carried := carried - filled;
    end if;
    if ledger_keeps_new_money(ids[c]) then news[c] := news[c] + carried; end if;

    next_id := nextval('ledger_transfer_id_seq');
    first_id := coalesce(first_id, next_id);
    balances[d] := balances[d] - amount; balances[c] := balances[c] + amount;
    hits[d] := hits[d] + 1; hits[c] := hits[c] + 1;
    o_count := o_count + 1;
    o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
    o_debit[o_count] := d; o_credit[o_count] := c; o_amount[o_count] := amount; o_kind[o_count] := t_kind[i];
    o_debit_after[o_count] := balances[d]; o_credit_after[o_count] := balances[c]; o_asked[o_count] := true;
    o_new[o_count] := carried; o_filled[o_count] := filled;
  end loop;

  if o_count = 0 then return; end if;

  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key, new_money)
  select o.id, o.posting_id, ids[o.debit], ids[o.credit], o.amount, o.debit_after, o.credit_after,
    p_at[o.posting], p_resolves[o.posting], p_rule_version[o.posting], p_pending[o.posting] and o.asked, assets[o.debit], o.kind,
    p_cause_type[o.posting], p_cause_id[o.posting], case when o.id = o.posting_id then p_key[o.posting] end, nullif(o.carried, 0)
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit[1:o_count], o_credit[1:o_count], o_amount[1:o_count],
    o_kind[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count], o_new[1:o_count])
    o (posting, posting_id, id, debit, credit, amount, kind, debit_after, credit_after, asked, carried);

  -- Writes the balances. The row's CHECK enforces the floor again.
  update ledger_account a set balance = n.balance, version = a.version + n.hits, new_money = n.new_money
  from unnest(ids, balances, hits, news) n (id, balance, hits, new_money) where a.id = n.id and n.hits > 0;
  get diagnostics written = row_count;
  if written <> (select count(*) from unnest(hits) h where h > 0) then
    raise exception 'ledger_post: % accounts written', written;
  end if;

  if debts is not null then
    update ledger_new_money_debt w set owed = n.owed from unnest(ids, debts) n (id, owed) where w.account = n.id and w.owed <> n.owed;
  end if;

  return query select o.posting, 'posted', o.posting_id, o.id, o.debit_after, o.credit_after, null::bigint, o.carried
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count],
    o_new[1:o_count]) o (posting, posting_id, id, debit_after, credit_after, asked, carried) where o.asked;
end $$;

-- Returns true for deposit wallets, because no other account keeps new money.
create or replace function ledger_keeps_new_money(account bigint) returns boolean language sql immutable as $$
  select account > 0 and account % 16 = 1
$$;

-- Marks amounts of the given incoming transfers as new money again, because the pending referral rewards for this money were cancelled.
create or replace function ledger_return_new_money(transfers bigint[], amounts bigint[]) returns void language plpgsql as $$
begin
  insert into ledger_new_money_return (transfer_id, amount) select t.id, t.amount from unnest(transfers, amounts) t (id, amount) order by t.id;
  update ledger_account a set new_money = a.new_money + r.amount
  from (select t.credit_account, sum(n.amount)::bigint as amount from unnest(transfers, amounts) n (id, amount)
    join ledger_transfer t on t.id = n.id group by 1) r
  where a.id = r.credit_account;
end $$;

-- Adds a reversed deposit to the wallet's new-money debt. New money from cancelled pending referral rewards is subtracted. The
-- wallet's next deposits reduce the debt first.
create or replace function ledger_owe_new_money(reversal bigint, given_back bigint) returns void language plpgsql as $$
begin
  if given_back > 0 then
    insert into ledger_new_money_return (transfer_id, amount) values (reversal, given_back);
  end if;
  insert into ledger_new_money_debt as w (account, owed)
  select t.debit_account, t.amount - coalesce(t.new_money, 0) - given_back from ledger_transfer t
  where t.id = reversal and t.amount - coalesce(t.new_money, 0) > given_back
  on conflict (account) do update set owed = w.owed + excluded.owed;
end $$;

-- Returns one number for a wallet, or for all shards of a system account, because a repeated posting may use another shard.
create or replace function ledger_party(account bigint) returns bigint language sql immutable as $$
  select case when account < 0 then account / 100 else account end
$$;

-- Returns the result of a posting under a used key: the earlier result if amounts and accounts are equal, otherwise `key_reused`.
create or replace function ledger_repeated(p_posting int, p_earlier bigint, p_shape bigint[])
returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
language plpgsql stable as $$
#variable_conflict use_column
declare
  shape bigint[];
begin
  select array_agg(array[t.amount, ledger_party(t.debit_account), ledger_party(t.credit_account)] order by t.id) into shape
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'shardMove';
  if shape is distinct from p_shape then
    return query select p_posting, 'key_reused', null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  return query select p_posting, 'repeated', t.posting_id, t.id, t.debit_balance_after, t.credit_balance_after, null::bigint, t.new_money
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'shardMove' order by t.id;
end $$;

-- Posts one transfer without a key, like ledger_post but with fewer statements. If the account does not hold the amount, or the
-- transfer moves new money, it calls ledger_post.
create or replace function ledger_post_one(
  p_debit bigint, p_credit bigint, p_amount bigint, p_kind text, p_cause_type text, p_cause_id text, p_rule_version int, p_at timestamptz
) returns table (posting int, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  debit_asset text;
  credit_asset text;
begin
  if p_amount <= 0 or p_debit = p_credit then
    raise exception 'ledger_post_one: % from % to % is no transfer', p_amount, p_debit, p_credit using errcode = 'check_violation';
  end if;
  -- Updates the accounts in order of number, to prevent deadlocks. The guarded update checks and writes in one statement.
  if p_credit < p_debit then
    update ledger_account a set balance = a.balance + p_amount, version = a.version + 1 where a.id = p_credit
    returning a.balance, a.asset into credit_after, credit_asset;
  end if;
  update ledger_account a set balance = a.balance - p_amount, version = a.version + 1
  where a.id = p_debit and a.balance >= a.min_balance + p_amount and (a.new_money = 0 or a.new_money <= a.balance - p_amount)
  returning a.balance, a.asset into debit_after, debit_asset;
  if not found then
    if p_credit < p_debit then
      update ledger_account a set balance = a.balance - p_amount, version = a.version - 1 where a.id = p_credit;
    end if;
    return query select * from ledger_post(array[least(p_debit, p_credit), greatest(p_debit, p_credit)], array[1],
      array[case when p_debit < p_credit then 1 else 2 end], array[case when p_debit < p_credit then 2 else 1 end], array[p_amount], array[p_kind],
      null, array[p_cause_type], array[p_cause_id], array[p_rule_version], array[p_at], null, array[false], array[null::bigint]);
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

-- Posts one transfer per row of the temporary table ledger_bulk, all from one system account, and empties the table. Each row is a
-- separate posting. The function locks the system account, then the members' accounts in order of id. The caller fills the table in
-- this order, and a nested loop keeps the order (docs/decisions/0048-cost-of-a-call.md).
create or replace function ledger_post_bulk(
  p_pool bigint, p_wallet bigint, p_total bigint, p_kind text, p_cause_type text, p_rule_version int, p_at timestamptz
) returns bigint language plpgsql set enable_hashjoin = off set enable_mergejoin = off as $$
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

-- Returns the last transfer id before a time, without splitting a posting. Transfers of the same second may have ids and times in
-- different orders. This does not matter, because a period close uses ids.
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

-- Returns a chained hash over transfers in order of id. Each step reads 4,096 transfers, to limit memory.
create or replace function ledger_transfers_hash(after_id bigint, last_id bigint) returns text language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  chain bytea := '';
  part bytea;
  low bigint := after_id;
begin
  loop
    select sha256(convert_to(string_agg(row(t.id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
        (extract(epoch from created_at) * 1000000)::bigint, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key, new_money)::text,
        E'\n' order by t.id), 'UTF8')), max(t.id) into part, low
    from (select * from ledger_transfer where id > low and id <= last_id order by id limit 4096) t;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $$;

-- Hashes the balances at a period close, in order of accounts.
create or replace function ledger_balances_hash() returns text language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  chain bytea := '';
  part bytea;
  low bigint := -9223372036854775808;
begin
  loop
    select sha256(convert_to(string_agg(row(b.account, balance, version, new_money)::text, E'\n' order by b.account), 'UTF8')), max(b.account) into part, low
    from (select * from ledger_closed_balance where account > low order by account limit 4096) b;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $$;

-- Returns the hash of a period close, over the close's columns and the hash of the previous close.
create or replace function ledger_close_text(month date, after_id bigint, last_id bigint, transfers bigint, transfers_hash text, balances_hash text,
  previous text) returns text language sql immutable as $$
  select encode(sha256(convert_to(row(to_char(month, 'YYYY-MM'), after_id, last_id, transfers, transfers_hash, balances_hash, previous)::text, 'UTF8')), 'hex')
$$;

-- Closes a month: all transfers after the previous close, up to an id below every later transfer.
create or replace function ledger_close_month(p_month date, p_last_id bigint, p_at timestamptz) returns text language plpgsql as $$
declare
  before ledger_close%rowtype;
  after_id bigint;
  posted bigint;
  made text;
begin
  select * into before from ledger_close order by month desc limit 1;
  after_id := coalesce(before.last_id, 0);
  insert into ledger_closed_balance as b (account, balance, version, new_money)
  select account, sum(amount)::bigint, count(*), case when ledger_keeps_new_money(account) then coalesce(sum(new_money), 0) else 0 end from (
    select debit_account as account, -amount as amount, -new_money as new_money from ledger_transfer where id > after_id and id <= p_last_id
    union all select t.credit_account, t.amount, coalesce(t.new_money, 0) + coalesce(r.amount, 0) from ledger_transfer t
      left join ledger_new_money_return r on r.transfer_id = t.id where t.id > after_id and t.id <= p_last_id) e
  group by account order by account
  on conflict (account) do update set balance = b.balance + excluded.balance, version = b.version + excluded.version,
    new_money = b.new_money + excluded.new_money;
  select count(*) into posted from ledger_transfer where id > after_id and id <= p_last_id;
  insert into ledger_close (month, after_id, last_id, transfers, transfers_hash, balances_hash, previous, close_hash, closed_at)
  select p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.close_hash, ''),
    ledger_close_text(p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.close_hash, '')), p_at
  from (select ledger_transfers_hash(after_id, p_last_id) as transfers, ledger_balances_hash() as balances) h
  returning close_hash into made;
  return made;
end $$;

-- Returns, per member: the sum of the wallets by asset, the sum of the wallets' versions, and the open holds by asset.
create or replace function ledger_owed_by_member() returns table (
  member_id bigint, wallet_usd bigint, wallet_coin bigint, wallet_version bigint, hold_usd bigint, hold_coin bigint)
language sql stable as $$
  with wallets as (
    select owner_id, (sum(balance) filter (where asset = 'USD'))::bigint as usd, (sum(balance) filter (where asset = 'COIN'))::bigint as coin,
      sum(version)::bigint as version
    from ledger_account where owner_id is not null group by owner_id
  ), holds as (
    select h.debit_account / 16 as owner_id, (sum(h.amount) filter (where h.asset = 'USD'))::bigint as usd,
      (sum(h.amount) filter (where h.asset = 'COIN'))::bigint as coin
    from ledger_transfer h where h.pending and not exists (select from ledger_transfer e where e.resolves = h.id) group by 1
  )
  select owner_id, coalesce(w.usd, 0), coalesce(w.coin, 0), coalesce(w.version, 0), coalesce(h.usd, 0), coalesce(h.coin, 0)
  from wallets w full join holds h using (owner_id)
$$;
