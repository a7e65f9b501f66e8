import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { runAudit } from '../../ledger/index.ts'
import { listTally, sumByStatus } from './index.ts'
import { tallyCheck } from './list-tally.ts'

const { db } = await testDatabase()
const ann = await createTestMember(db)
const bob = await createTestMember(db)
const broken = async () => (await runAudit(db, [tallyCheck]))[0]?.broken

/** Deposits of 1, 2, 3 … USD units in one statement, in turn Ann's and Bob's. */
const addDeposits = (count: number) =>
  sql`
  insert into deposit (public_id, member_id, way, description, amount, usd_amount, created_at)
  select gen_random_uuid()::text, case when n % 2 = 0 then ${ann.id}::bigint else ${bob.id}::bigint end, 'hosted', 'USDT', n, n, '2026-01-01'
  from generate_series(1, ${count}::int) n`.execute(db)

describe('the figures kept of lists', () => {
  it('[I3] move with rows that come, in one statement or many', async () => {
    await addDeposits(10)
    await addDeposits(1)
    expect(await listTally(db, ann.id, 'deposit')).toEqual({ total: 5, sum: 30n, buckets: { PENDING: { rows: 5, sum: 30n } } })
    expect((await listTally(db, bob.id, 'deposit')).sum).toBe(26n)
    expect(await listTally(db, ann.id, 'coin')).toEqual({ total: 0, sum: 0n, buckets: {} })
    expect(await broken()).toBe(0)
  })

  it('[I3] move with rows that change their status or amount', async () => {
    await sql`update deposit set status = 'APPROVE', usd_amount = 100 where member_id = ${ann.id} and amount <= 4`.execute(db)
    await sql`update deposit set next_check_at = '2026-01-02' where member_id = ${ann.id}`.execute(db)
    expect(sumByStatus(await listTally(db, ann.id, 'deposit'))).toEqual({ PENDING: 24n, APPROVE: 200n })
    await sql`update deposit set status = 'REJECT' where member_id = ${ann.id} and status = 'PENDING'`.execute(db)
    expect(sumByStatus(await listTally(db, ann.id, 'deposit'))).toEqual({ APPROVE: 200n, REJECT: 24n })
    expect(await broken()).toBe(0)
  })

  it('[I3] are kept for every list, and go back with what was rolled back', async () => {
    await sql`insert into ticket (public_id, member_id, title, description, created_at, last_message_at)
      select 't' || n, ${ann.id}, 'Title', 'Text', '2026-01-01', '2026-01-01' from generate_series(1, 3) n`.execute(db)
    await sql`insert into coin_purchase (public_id, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at)
      select 'c' || n, ${ann.id}, 7, 1, 1, 1, (select min(version) from setting), 1, '2026-01-01' from generate_series(1, 2) n`.execute(db)
    await sql`insert into wallet_exchange (public_id, member_id, amount, settings_version, posting_id, created_at)
      values ('x', ${ann.id}, 9, (select min(version) from setting), 1, '2026-01-01')`.execute(db)
    await sql`insert into payout_request (public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, hold_id, settings_version, created_at)
      select 'p' || n, case when n = 1 then 'bridge' else 'withdrawal' end, ${ann.id}, 10, 1, 1, 8, 'address', 0, n, (select min(version) from setting), '2026-01-01'
      from generate_series(1, 3) n`.execute(db)
    await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at) values ('plan', 'Plan', 30, 0, 1, 'ACTIVE', '2026-01-01')`.execute(
      db,
    )
    await sql`insert into stake (public_id, member_id, plan_id, plan_name, is_omega, wallet, amount, apy, duration_days, daily_reward, programme_version, started_at)
      select 's' || n, ${ann.id}, (select id from stake_plan), 'Plan', n = 1, 'mywallet', 200000000, 1, 30, 0, 1, '2026-01-01' from generate_series(1, 3) n`.execute(
      db,
    )
    await sql`update stake set status = 'COMPLETED', matured_at = '2026-02-01' where public_id = 's2'`.execute(db)
    await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at) values ('n', 'land', 'Land', 5, 12, 1, 'ACTIVE', '2026-01-01')`.execute(
      db,
    )
    await sql`insert into nft_purchase (public_id, member_id, nft_id, kind, name, price, paid_by, paid_asset, paid_amount, duration_months, total_percent, monthly_reward, programme_version, purchased_at)
      values ('q', ${ann.id}, (select id from nft where public_id = 'n'), 'land', 'Land', 5, 'depositwallet', 'usd', 5, 12, 1, 0, 1, '2026-01-01')`.execute(
      db,
    )
    const rolledBack = db.transaction().execute(async (tx) => {
      await sql`update payout_request set status = 'APPROVED', decided_at = '2026-01-02' where member_id = ${ann.id}`.execute(tx)
      throw new Error('and back')
    })
    await expect(rolledBack).rejects.toThrow('and back')
    const lists = ['ticket', 'coin', 'exchange', 'bridge', 'withdrawal', 'stake', 'stake-log', 'nft'] as const
    const found = await Promise.all(lists.map((list) => listTally(db, ann.id, list)))
    expect(found.map(({ total, sum }) => [total, sum])).toEqual([
      [3, 0n],
      [2, 14n],
      [1, 9n],
      [1, 10n],
      [2, 20n],
      [2, 400000000n],
      [1, 200000000n],
      [1, 5n],
    ])
    expect(found[4]?.buckets).toEqual({ PENDING: { rows: 2, sum: 20n } })
    expect(found[5]?.buckets['COMPLETED']).toEqual({ rows: 1, sum: 200000000n })
    expect(found[7]?.buckets).toEqual({ land: { rows: 1, sum: 5n } })
    expect(await broken()).toBe(0)
  })

  it('[I3] are compared with the rows by the audit', async () => {
    await sql`update member_tally set rows = rows + 1 where member_id = ${bob.id} and list = 'deposit'`.execute(db)
    expect(await broken()).toBe(1)
  })
})
