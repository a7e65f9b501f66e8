import { openAccountsOf } from '../../apps/server/src/ledger/index.ts'
import type { Database } from '../../apps/server/src/platform/db/database.ts'

/** The admin who reads the console. */
export const ADMIN = 'admin@gmail.com'
/** Size of the instance: members, transfers, and open items. */
export interface InstanceSize {
  members: number
  transfers: number
  /** Number of open items: four fifths payouts and bridges, one fifth tickets. */
  open: number
}
/** Number of decided payouts per open payout. */
const DECIDED = 6
const DAYS = 400

const at = (n: string, of: number) => `(now() - interval '${DAYS} days' * (1 - ${n}::float8 / ${of}))`

const people = ({ members }: InstanceSize, hash: string) => `
  alter table member disable trigger user;
  insert into member (public_id, name, email, phone, password_hash, is_verified, second_factor, role, created_at, updated_at, referral_code)
  select 'admin-' || n, 'Admin ' || n, case n when 1 then '${ADMIN}' else 'admin' || n || '@gmail.com' end, '+12025550100', '${hash}', true, false, 'ADMIN', now(), now(), 'ADMIN' || n
  from generate_series(1, 5) n;
  insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, created_at, updated_at)
  select 'member-' || n, (array['Anna', 'Bola', 'Chidi', 'Daniel', 'Elif', 'Femi', 'Grace', 'Hana'])[1 + n % 8] || ' ' ||
    (array['Osei', 'Balogun', 'Weber', 'Kaya', 'Marin'])[1 + n % 5] || n, 'member' || n || '@gmail.com', '+1202' || (5550000 + n), 'x', true, 'CODE' || n, ${at('n', members)}, ${at('n', members)}
  from generate_series(1, ${members}) n;
  alter table member enable trigger user;
  insert into team_member select id, null, 0, id, 0 from member where role = 'MEMBER';`

const work = ({ members, open }: InstanceSize) => `
  insert into payout_request (public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, status, hold_id,
    settings_version, created_at, decided_at, decided_by, confirm_by, confirmed_at, confirmed_how, owner_mac)
  select 'payout-' || n, case when n % 4 = 0 then 'bridge' else 'withdrawal' end, 6 + n % ${members}, 100000000000, 5000000000, 2000000000, 93000000000,
    '0x' || lpad(to_hex(n % 30000), 40, '5'), 0, case when n <= ${(open * 4) / 5} then 'PENDING' else 'APPROVED' end, n, (select min(version) from setting),
    now() - interval '1 minute' * n, case when n > ${(open * 4) / 5} then now() - interval '1 minute' * n end, case when n > ${(open * 4) / 5} then 2 end, now(), now(), 'book', ''
  from generate_series(1, ${((open * 4) / 5) * (1 + DECIDED)}) n;
  insert into ticket (public_id, member_id, title, description, status, created_at, last_message_at)
  select 'ticket-' || n, 6 + n % ${members}, 'Question ' || n, repeat('What happened to my deposit? ', 8), 'OPEN', now() - interval '1 minute' * n, now() - interval '1 minute' * n
  from generate_series(1, ${open / 5}) n;
  insert into ticket_message (ticket_id, author_id, role, message, created_at)
  select id, member_id, 'USER', 'Please look', created_at from ticket;`

const ledger = ({ members, transfers }: InstanceSize) => `
  insert into ledger_transfer (posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after, created_at, asset, kind, cause_type, cause_id)
  select n, case when n % 20 = 0 then -(2100 + n % 4) else (6 + n % ${members}) * 16 + 1 end, (6 + (n + 17) % ${members}) * 16 + 1,
    500000000, 100000000000, 100000000000, ${at('n', transfers)}, 'USD', case when n % 20 = 0 then 'deposit' else 'userToUser' end, 'member', '1'
  from generate_series(1, ${transfers}) n;
  insert into wallet_day select (created_at at time zone 'UTC')::date, max(id), now() from ledger_transfer group by 1
    having (max(created_at) at time zone 'UTC')::date < (now() at time zone 'UTC')::date on conflict do nothing;
  update ledger_account set balance = 100000000000, version = 1 where owner_id is not null;`

/** Data of the later pages: sessions, audit log, segments, linked accounts, cases, screening and imports. */
const desk = ({ members, open }: InstanceSize) => `
  insert into session (public_id, member_id, created_at, last_seen_at, idle_seconds, expires_at, ip, user_agent, device)
  select 'session-' || n, 5 + n, ${at('n', members)}, ${at('n', members)}, 900, now(), '192.0.2.1', 'Chrome', 'Chrome'
  from generate_series(1, ${members}) n;
  insert into audit_event (at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, previous_hash, hash)
  select ${at('n', members)}, case when n % 2 = 0 then 2 else 6 + n % ${members} end, case when n % 2 = 0 then 'ADMIN' else 'MEMBER' end,
    case when n % 2 = 0 then 'staff.request.approve' else 'auth.login' end, case when n % 2 = 0 then 'payout_request' else 'member' end,
    case when n % 2 = 0 then 'payout-' || n else 'member-' || n end, 'Known address', 'ok', 'hash-' || n - 1, 'hash-' || n
  from generate_series(1, ${members}) n;
  insert into saved_segment (public_id, name, criteria, saved_by, saved_at)
  select 'segment-' || n, 'Segment ' || n, '{"usdFrom":"500"}', 2, now() from generate_series(1, 50) n;
  insert into linked_account (member_id, upline_id, level, same_address, same_device, same_payout_address, first_seen_at, last_seen_at,
    verdict, reviewed_by, reviewed_at, review_reason)
  select 6 + n, 5 + n, 1, true, n % 3 = 0, false, now(), now(), case when n % 2 = 0 then 'harmless' end, case when n % 2 = 0 then 2 end,
    case when n % 2 = 0 then now() end, case when n % 2 = 0 then 'A household' end
  from generate_series(1, ${open}) n;
  insert into staff_case (public_id, member_id, title, reason, owner_id, opened_at, due_at, outcome, outcome_reason, closed_by, closed_at)
  select 'case-' || n, 5 + n, 'Shared device', 'Two accounts use one phone', 2, now() - interval '1 minute' * n, now() + interval '1 minute' * n,
    case when n % 10 > 0 then 'cleared' end, case when n % 10 > 0 then 'A household' end, case when n % 10 > 0 then 3 end,
    case when n % 10 > 0 then now() end
  from generate_series(1, ${open}) n;
  insert into screening_list (hash, status, entries, staged_at, activated_at, member_cursor)
  values (repeat('a', 64), 'ACTIVE', ${open}, now(), now(), ${members + 5});
  insert into screening_hit (public_id, member_id, kind, key, source, reference, listed_name, cause, found_at, verdict, decided_at)
  select 'hit-' || n, 5 + n, 'name', 'anna osei', 'list', 'entry-' || n, 'Anna Osei', 'list', now(), case when n % 2 = 0 then 'different' end,
    case when n % 2 = 0 then now() end
  from generate_series(1, ${open}) n;
  insert into import_batch (hash, status, members, referrals, usd, coin, staged_at, approved_at, ended_at)
  select lpad(n::text, 64, '0'), 'DONE', ${members}, 0, 0, 0, now(), now(), now() from generate_series(1, 20) n;`

/** Fills a migrated database. The parts do not match each other, so the ledger audit does not apply here. */
export async function fillStaffInstance(database: Database, size: InstanceSize, passwordHash: string): Promise<void> {
  const { pool, db } = database
  await pool.query(people(size, passwordHash))
  const { rows } = await pool.query<{ id: bigint }>(`select id from member where role = 'MEMBER' order by id`)
  for (let start = 0; start < rows.length; start += 5_000)
    await openAccountsOf(
      db,
      rows.slice(start, start + 5_000).map((row) => row.id),
    )
  await pool.query(work(size))
  await pool.query(ledger(size))
  await pool.query(desk(size))
  await pool.query('vacuum analyze')
}
