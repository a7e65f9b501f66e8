import type { PoolClient } from 'pg'
import { openAccountsOf } from '../../apps/server/src/ledger/index.ts'
import type { Database } from '../../apps/server/src/platform/db/database.ts'

/** The two compared members, with the number of rows in each of their lists. */
export const LONG = { id: 1, email: 'long@gmail.com', rows: 10_000 }
export const SHORT = { id: 2, email: 'short@gmail.com', rows: 100 }
/** Number of running stakes and NFTs of each member, so that both have equal upcoming rewards. */
const RUNNING = 50
/** Number of days with a reward run. Each run has rows in every list of rewards. */
const DAYS = 100

/** SQL: rows of both members, number `i` of `n`, distributed over the same 200 days. */
const OWNERS = `(values (${LONG.id}::bigint, ${LONG.rows}), (${SHORT.id}, ${SHORT.rows})) o (member, n) cross join generate_series(1, o.n) i`
const AT = `(now() - interval '200 days' * (1 - i::float8 / n))`
const DIRECT = `case o.member when ${LONG.id} then 2 + i else 2 + ${LONG.rows} + i end`

const people = (hash: string) => `
  alter table member disable trigger user;
  insert into member (public_id, name, email, phone, password_hash, is_verified, is_special_rcm, referral_code, sponsor_id, created_at, updated_at)
  values ('long', 'Long', '${LONG.email}', '+12025550143', '${hash}', true, true, 'LONG', null, now(), now()),
    ('short', 'Short', '${SHORT.email}', '+12025550143', '${hash}', true, true, 'SHORT', null, now(), now());
  insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, sponsor_id, created_at, updated_at)
  select 'member-' || o.member || '-' || i, 'Member ' || i, 'member' || o.member || '.' || i || '@gmail.com', '+12025550143', 'x', true,
    'CODE' || o.member || 'X' || i, o.member, ${AT}, ${AT} from ${OWNERS} order by o.member, i;
  alter table member enable trigger user;
  insert into member_referrals select sponsor_id, count(*) from member where sponsor_id is not null group by 1;
  insert into team_member select id, null, 0, id, 0 from member where sponsor_id is null;
  insert into team_member select id, sponsor_id, 1, sponsor_id, 0 from member where sponsor_id is not null;
  insert into team_total select sponsor_id, count(*), count(*) * 100000000000 from member where sponsor_id is not null group by 1;`

const LISTS = `
  insert into coin_purchase (public_id, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at)
  select 'coin-' || member || '-' || i, member, 10000000000 + i, 25000000, 2500000000, 2500000000, (select min(version) from setting), i, ${AT} from ${OWNERS};
  insert into wallet_exchange (public_id, member_id, amount, settings_version, posting_id, created_at)
  select 'exchange-' || member || '-' || i, member, 1000000000 + i, (select min(version) from setting), i, ${AT} from ${OWNERS};
  insert into payout_request (public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, status, hold_id,
    settings_version, created_at, decided_at, confirm_by, confirmed_at, confirmed_how, owner_mac)
  select kind || '-' || member || '-' || i, kind, member, 5000000000, 100000000, 50000000, 4850000000, '0x52908400098527886E0F7030069857D2E4169EE7', 0,
    case when i > n - 10 then 'PENDING' when i % 9 = 0 then 'REJECTED' else 'APPROVED' end, row_number() over (),
    (select min(version) from setting), ${AT}, case when i > n - 10 then null else ${AT} end, ${AT}, ${AT}, 'book', ''
  from ${OWNERS}, unnest(array['withdrawal', 'bridge']) kind;
  insert into deposit (public_id, member_id, method, description, amount, credited, usd_amount, status, created_at, decided_at)
  select 'deposit-' || member || '-' || i, member, 'hosted', 'USDT', 5000000000 + i, case when i % 9 = 0 then 0 else 5000000000 + i end, 5000000000 + i,
    case when i % 9 = 0 then 'REJECT' else 'APPROVE' end, ${AT}, ${AT} from ${OWNERS};
  insert into ticket (public_id, member_id, title, description, status, created_at, last_message_at)
  select 'ticket-' || member || '-' || i, member, 'Question ' || i, repeat('What happened to my deposit? ', 8),
    case when i > n - 3 then 'OPEN' else 'CLOSED' end, ${AT}, ${AT} from ${OWNERS};
  insert into stake_plan (public_id, name, duration_days, minimum, apy, is_omega, status, created_at)
  select 'plan-' || p, 'Plan ' || p, 365, 10000000000, 3600000000, p > 5, 'ACTIVE', now() from generate_series(1, 8) p;
  insert into stake (public_id, member_id, plan_id, plan_name, is_omega, wallet, amount, apy, duration_days, daily_reward, programme_version, started_at,
    status, matured_at)
  select 'stake-' || omega || '-' || member || '-' || i, member, case when omega then 6 else 1 end, 'Plan', omega, 'nativewallet', 100000000000 + i,
    3600000000, case when i > n - ${RUNNING} then 365 else 30 end, 98630136, 1, ${AT}, case when i > n - ${RUNNING} then 'ACTIVE' else 'COMPLETED' end,
    case when i > n - ${RUNNING} then null else ${AT} + interval '30 days' end
  from ${OWNERS}, unnest(array[true, false]) omega;
  insert into nft (public_id, kind, name, title, price, duration_months, total_percent, status, created_at)
  select 'nft-' || k, k, 'Name of ' || k, 'Title of ' || k, 50000000000, 12, 12000000000, 'ACTIVE', now()
  from unnest(array['dome', 'wagon', 'hotelAndResort', 'land']) k;
  insert into nft_purchase (public_id, member_id, nft_id, kind, name, price, paid_from, paid_asset, paid_amount, duration_months, total_percent,
    monthly_reward, programme_version, purchased_at)
  select 'purchase-' || member || '-' || i, member, nft.id, nft.kind, nft.name, nft.price, 'depositwallet', 'usd', nft.price, 12, 12000000000, 5000000000, 1, ${AT}
  from ${OWNERS} join nft on nft.id = 1 + i % 4;`

/** SQL: sources for stakes and purchases that have none. In ended sources all steps are counted. */
const SOURCES = `
  insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, steps, starts_at, programme_version, processed)
  select is_omega::int, public_id, plan_name, member_id, amount, apy, daily_reward, daily_reward / 5, duration_days, started_at, 1,
    case when status = 'COMPLETED' then duration_days else 0 end from stake
  union all
  select 2, public_id, name, member_id, price, total_percent, monthly_reward, monthly_reward / 5, duration_months, purchased_at, 1,
    case when row_number() over (partition by member_id order by id desc) > ${RUNNING} then duration_months else 0 end from nft_purchase
  on conflict (public_id) do nothing;`

/** SQL: instant rewards, and 100 days of runs in which each member earns from as many stakes and referrals as the lists need. */
const REWARDS = `
  ${SOURCES}
  insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, level, base, amount, asset, programme_version, rank, status,
    created_at, release_at, settled_at, in_counters)
  select r.kind, o.member, ${DIRECT}, case r.kind when 'referral' then 'coin_purchase' when 'rank' then 'rank' else 'source' end, p.id, 1, 100000000000, 5000000000 + i, case r.kind when 'nft-level' then 'USD' else 'COIN' end, 1,
    case r.kind when 'rank' then 'bronze' end, case when i > n - 10 then 'held' else 'paid' end, ${AT}, ${AT} + interval '14 days', null, true
  from ${OWNERS} join reward_source p on p.public_id = 'purchase-' || o.member || '-' || i, unnest(array['referral', 'level', 'nft-level', 'rank']) r (kind);
  insert into reward_counter select beneficiary_id, kind, status, count(*), sum(amount) from reward_instant group by 1, 2, 3;
  insert into reward_week select beneficiary_id, date_trunc('week', created_at at time zone 'UTC')::date, kind, sum(amount) from reward_instant group by 1, 2, 3;
  insert into reward_day (day, status, opened_at, closed_at)
  select (now() at time zone 'UTC')::date - d, 'DONE', now(), now() from generate_series(1, ${DAYS}) d;
  insert into reward_run (day, through, status, first_due, last_due, by_hand, started_at, finished_at)
  select day, day + interval '24 hours', 'DONE', day, day + interval '23 hours', false, now(), now() from reward_day order by day;
  create temp table earning as
    select o.member as top, o.member, i from (values (${LONG.id}::bigint, ${LONG.rows / DAYS}), (${SHORT.id}, ${SHORT.rows / DAYS})) o (member, n), generate_series(1, o.n) i
    union all
    select o.member, ${DIRECT}, 1 from (values (${LONG.id}::bigint, ${LONG.rows / DAYS}), (${SHORT.id}, ${SHORT.rows / DAYS})) o (member, n), generate_series(1, o.n) i;
  insert into stake (public_id, member_id, plan_id, plan_name, is_omega, wallet, amount, apy, duration_days, daily_reward, programme_version, started_at)
  select 'below-' || omega || '-' || member, member, case when omega then 6 else 1 end, 'Plan', omega, 'nativewallet', 100000000000, 3600000000, 365, 98630136, 1, now()
  from earning, unnest(array[true, false]) omega where top <> member;
  insert into nft_purchase (public_id, member_id, nft_id, kind, name, price, paid_from, paid_asset, paid_amount, duration_months, total_percent,
    monthly_reward, programme_version, purchased_at)
  select 'below-' || member, member, 1, 'dome', 'Dome', 50000000000, 'depositwallet', 'usd', 50000000000, 12, 12000000000, 5000000000, 1, now()
  from earning where top <> member;
  ${SOURCES}
  create temp table source as
    select member_id, stream, id, row_number() over (partition by member_id, stream order by id desc) as i from reward_source;
  insert into reward_accrual (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
  select r.id, s.stream, s.id, e.member, r.id, 1, 98630136, r.first_due + e.i * interval '1 minute'
  from reward_run r, earning e join source s on s.member_id = e.member and s.i = e.i;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
  select r.id, s.stream, e.member, case when e.top = e.member then 0 else e.top end, true, count(*), case when e.top = e.member then count(*) else 0 end, 0, 0, 0, 0,
    count(*) * 98630136, case when e.top = e.member then count(*) * 9863013 else 0 end, 0, 0, 0, 0,
    count(*) * 98630136 + case when e.top = e.member then count(*) * 9863013 else 0 end
  from reward_run r, earning e, unnest(array[0, 1, 2]::smallint[]) s (stream) group by r.id, s.stream, e.member, e.top;
  insert into reward_payment (run_id, stream, credits, total, paid_credits, paid, taken, cursor_sponsor, cursor_member)
  select run_id, stream, count(*), sum(amount), count(*), sum(amount), sum(amount), max(sponsor_id), 9223372036854775807 from reward_credit group by 1, 2;`

/** SQL: the ledger of the platform. The deposit wallet of each member has one entry per list row. Each transfer has two entries. */
const ledger = (transfers: number) => `
  insert into ledger_transfer (posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after, created_at, asset, kind, cause_type, cause_id)
  select n, case when n % ${transfers / LONG.rows} = 0 then ${LONG.id} when n % ${transfers / SHORT.rows} = 1 then ${SHORT.id} else 3 + n % 10000 end * 16 + 1,
    (3 + (n + 17) % 10000) * 16 + 1,
    500000000, 100000000000, 100000000000, now() - interval '200 days' * (1 - n::float8 / ${transfers}), 'USD', 'userToUser', 'member', '1'
  from generate_series(1, ${transfers}) n;
  insert into wallet_day select (created_at at time zone 'UTC')::date, max(id), now() from ledger_transfer group by 1 having (max(created_at) at time zone 'UTC')::date < (now() at time zone 'UTC')::date;
  update ledger_account set balance = 100000000000, version = 1;`

/** Inserts the ledger before its indexes are created, which takes a third of the time for 100 million entries. */
async function fillLedger(client: PoolClient, transfers: number): Promise<void> {
  await client.query("set maintenance_work_mem = '1GB'; set work_mem = '512MB'; set synchronous_commit = off")
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = 'ledger_transfer'::regclass and not indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query(ledger(transfers))
  for (const { made } of rows) await client.query(made)
}

/**
 * Fills a migrated database: the ledger, and two members with 10,000 and 100 rows per list over the same 200 days. Lists and ledger
 * are independent, so the ledger audit does not apply here.
 * @param entries a multiple of 20,000
 */
export async function fillLists(database: Database, passwordHash: string, entries: number): Promise<void> {
  const { pool, db } = database
  const client = await pool.connect()
  try {
    for (const part of [people(passwordHash), LISTS, REWARDS]) await client.query(part)
  } finally {
    client.release(true)
  }
  const { rows } = await pool.query<{ id: bigint }>('select id from member order by id')
  for (let start = 0; start < rows.length; start += 1_000) {
    await openAccountsOf(
      db,
      rows.slice(start, start + 1_000).map((row) => row.id),
    )
  }
  const own = await pool.connect()
  try {
    await fillLedger(own, entries / 2)
  } finally {
    own.release(true)
  }
  await pool.query('vacuum analyze')
}
