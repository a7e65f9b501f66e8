import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { rowsRead } from '../../../test/longer-history.ts'
import { createTestMember } from '../../../test/members.ts'
import { deleteSums } from '../../gateways/chain/chain-cursor.ts'
import { runJob } from '../../jobs/job.ts'
import { DAY_MS, testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { type Books, checkpointOf, compareBooks } from './check-books.ts'
import { checkpointOf as walletCheckpointOf, readReserves } from './check-wallets.ts'
import { type Checkpoint, NOTHING_SUMMED, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { confirmedDifferences } from '../../gateways/chain/confirmed-differences.ts'
import { reconcileJob } from './reconcile.job.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const config = readConfig({ NODE_ENV: 'test' })
const books: Books = {
  chainId: 1,
  tokens: [
    { asset: 'COIN', token: '0xc0', decimals: 18 },
    { asset: 'USD', token: '0xd0', decimals: 6 },
  ],
  hasDemoPayments: false,
}
const of = checkpointOf(books)
const compare = (since?: Checkpoint) => compareBooks(db, books, clock.now(), since)
const wallets = {
  chainId: 1,
  tokens: ['0xc0'],
  node: { tokenOf: () => Promise.resolve(5n), nativeBalanceOf: () => Promise.resolve(7n) },
}
const reserves = (since?: Checkpoint) => readReserves((query) => query(db), wallets, clock.now(), since)
const member = await createTestMember(db)
await sql`insert into chain_cursor (chain_id, block, block_hash, block_time, final_block, seen_at) values (1, 1, '0x1', now(), 0, now())`.execute(
  db,
)
await sql`insert into hot_wallet (chain_id, address, next_nonce) values (1, '0xw', 0)`.execute(db)
let stories = 0

/**
 * Creates a day of rows, each kind `times` times: transfers (credited, held, rejected, reversed), provider payments, and payouts
 * (manual or on the chain; arrived, failed or reversed). No ledger: the test compares incremental sums with full sums.
 */
async function story(times: number): Promise<void> {
  const [from, at] = [stories + 1, clock.now()]
  stories += times
  const each = sql`generate_series(${from}::int, ${stories}::int) n`
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const table of ['deposit', 'payout_request'])
      await sql.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), ${10 * stories + 100})`).execute(tx)
    await sql`
      insert into chain_address (address, key_index, invoice_id) select '0xa' || n, n, 'invoice-' || n from ${each}`.execute(tx)
    await sql`
      insert into deposit (id, public_id, member_id, method, description, asset, amount, usd_amount, created_at, address, expires_at, watched_until, state)
      overriding system value
      select n, 'invoice-' || n, ${member.id}, 'chain', 'coin', 'COIN', 1, 0, ${at}, '0xa' || n, ${at}, ${at}, 'awaiting' from ${each}`.execute(
      tx,
    )
    // Four transfers each: credited, credited and reversed, rejected, and pending.
    await sql`
      insert into chain_transfer (chain_id, tx_hash, address, ordinal, token, exact_amount, amount, block, block_time, state)
      select 1, '0x' || n, '0xa' || n, o, '0xc0', 1, ${ONE}::bigint * (n + o), n, ${at}, 'FINAL' from ${each}, generate_series(0, 3) o`.execute(
      tx,
    )
    await sql`
      insert into invoice_transfer (transfer_key, deposit_id, asset, amount, tx_hash, block_time, confirmations, credited_at, usd_amount, held, held_at,
        decided_at, transfer_id)
      select concat_ws(':', 1, '0x' || n, '0xc0', '0xa' || n, o), n, 'COIN', ${ONE}::bigint * (n + o), '0x' || n, ${at}, 12,
        case when o < 2 then ${at}::timestamptz end, 0, case when o > 1 then 'TOO_LATE' end, case when o > 1 then ${at}::timestamptz end,
        case when o = 2 then ${at}::timestamptz end, case when o < 2 then 10 * n + o end from ${each}, generate_series(0, 3) o`.execute(tx)
    await sql`
      insert into payment_credit (payment_id, part, amount, credited_at, transfer_id)
      select 'p' || n, o, ${ONE}::bigint * n, ${at}, 10 * n + 2 + o from ${each}, generate_series(1, 2) o`.execute(tx)
    await sql`
      insert into ledger_reversal (reverses, reversed_by, proposal_id, created_at)
      select 10 * n + o, 10 * n + o + 5, 'change ' || n || ' ' || o, ${at} from ${each}, unnest(array[1, 4]) o`.execute(tx)
    // Manual payouts: paid, and reversed. On the chain: arrived, failed, cancelled unsigned, and open.
    await sql`
      insert into payout_request (id, public_id, member_id, kind, amount, platform_fee, network_fee, received, address, network, hold_id,
        status, settings_version, created_at, confirm_by, confirmed_at, confirmed_how, decided_at, decided_by, reason, owner_mac, returned_at)
      overriding system value
      select 10 * n + o, 'payout ' || n || ' ' || o, ${member.id}, case when o % 2 = 0 then 'bridge' else 'withdrawal' end, ${ONE}::bigint * n, 0, 0,
        ${ONE}::bigint * n, '0x1', 0, 10 * n + o, case when o in (2, 4, 5) then 'REJECTED' else 'APPROVED' end, 1, ${at}, ${at}, ${at}, 'book', ${at},
        ${member.id + 1n}, 'seen', '', case when o in (2, 4, 5) then ${at}::timestamptz end from ${each}, generate_series(1, 6) o`.execute(
      tx,
    )
    await sql`
      insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, state, wallet, nonce, signed_at,
        cancel_asked_at, ended_at)
      select 10 * n + o, 1, '0xc0', '0x1', 10::numeric ^ 18 * n, '', ${at}, (array['DONE', 'FAILED', 'CANCELLED', 'SIGNED'])[o - 2],
        case when o <> 5 then '0xw' end, case when o <> 5 then 10 * n + o end, case when o <> 5 then ${at}::timestamptz end, ${at},
        case when o < 6 then ${at}::timestamptz end from ${each}, generate_series(3, 6) o`.execute(tx)
    await sql`
      insert into signed_transaction (hash, request_id, purpose, raw, gas_price, made_at, block, block_hash, gas_paid)
      select '0x' || n || o, 10 * n + o, 'PAYMENT', '', 9, ${at}, case when o < 5 then 1 end, case when o < 5 then '0x' end,
        case when o < 5 then 11 * n end from ${each}, unnest(array[3, 4, 6]) o`.execute(tx)
  })
  await sql`update chain_cursor set final_block = ${stories}`.execute(db)
}

const round = async (since: Checkpoint) => {
  const { differences, checkpoint } = await compare(since)
  expect(differences).toEqual((await compare()).differences)
  return checkpoint
}

describe('checkpoint of the hourly comparison', () => {
  it('[I7] [I8] has the same sums as a full calculation, at any time and after any events', async () => {
    let [sums, left] = [NOTHING_SUMMED, NOTHING_SUMMED]
    for (const hours of [1, 30, 1, 23, 1, 1, 80, 2]) {
      await story(3)
      clock.advance(hours * 3_600_000)
      sums = await round(sums)
      const { reserves: news, checkpoint } = await reserves(left)
      expect(news).toEqual((await reserves()).reserves)
      left = checkpoint
    }
    // Manual part from the days before the last two, for each n = 1 to 18: 5 n minus held and reversed.
    expect(await compare()).toMatchObject({
      differences: expect.arrayContaining([
        { kind: 'DEPOSITS', subject: 'SYS-DEPOSIT COIN', expected: ONE * 300n, found: 0n },
        { kind: 'DEPOSITS', subject: 'SYS-DEPOSIT USD', expected: ONE * 300n, found: 0n },
        { kind: 'PAYOUTS', subject: 'SYS-WITHDRAW USD', expected: ONE * 600n, found: 0n },
        { kind: 'PAYOUTS', subject: 'SYS-BRIDGE COIN', expected: ONE * 300n, found: 0n },
      ]),
    })
    expect(sums.untilBlock).toBe(21n)
    // Staff decide held transfers, and payouts are reversed, long after arrival.
    await sql`update invoice_transfer set decided_at = ${clock.now()}, credited_at = case when deposit_id < 9 then ${clock.now()}::timestamptz end
      where held is not null and decided_at is null and deposit_id % 2 = 0`.execute(db)
    await sql`update payout_sending set state = 'FAILED', ended_at = ${clock.now()} where state = 'SIGNED' and request_id < 90`.execute(db)
    sums = await round(sums)
    clock.advance(2 * DAY_MS)
    await round(sums)
  })

  it('limits reads to newer rows, whatever the length of the history', async () => {
    const reads = async () => {
      clock.advance(3 * DAY_MS)
      const [sums, left] = [(await compare()).checkpoint, (await reserves()).checkpoint]
      await story(2)
      // Uses ranges as short as the small tables, summarized like autovacuum does.
      await sql`alter index payment_credit_by_time set (pages_per_range = 1)`.execute(db)
      await sql`reindex index payment_credit_by_time`.execute(db)
      await sql`analyze`.execute(db)
      return db.transaction().execute(async (tx) => {
        await sql`select set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
        const news = await rowsRead(tx, async () => {
          await compareBooks(tx, books, clock.now(), sums)
          await readReserves((query) => query(tx), wallets, clock.now(), left)
        })
        return { news, all: await rowsRead(tx, () => compareBooks(tx, books, clock.now())) }
      })
    }
    await sql`update invoice_transfer set decided_at = ${clock.now()} where held is not null and decided_at is null`.execute(db)
    await sql`update payout_sending set state = 'DONE', ended_at = ${clock.now()} where state = 'SIGNED'`.execute(db)
    const few = await reads()
    await story(400)
    await sql`update invoice_transfer set decided_at = ${clock.now()} where held is not null and decided_at is null`.execute(db)
    await sql`update payout_sending set state = 'DONE', ended_at = ${clock.now()} where state = 'SIGNED'`.execute(db)
    const many = await reads()
    expect(many.all).toBeGreaterThan(5 * few.all)
    expect(many.news).toBeLessThan(few.news + 100)
  })

  it('[I8] is used only with a valid MAC, the same settings, an earlier time and existing blocks; otherwise everything is recalculated', async () => {
    const { checkpoint } = await compare()
    const write = (kept = checkpoint, keys: Parameters<typeof writeCheckpoint>[1] = config) =>
      inTransaction(db, (tx) => writeCheckpoint(tx, keys, of, kept))
    const read = (about = of) => readCheckpoint(db, config, about, clock.now())
    await write()
    expect(await read()).toEqual(checkpoint)
    for (const about of [{ chainId: 2 }, { part: 'WALLETS' as const }, { settings: '' }])
      expect(await read({ ...of, ...about })).toBeUndefined()
    for (const forged of [
      sql`sums = sums || '{"SYS-DEPOSIT COIN": "7"}'`,
      sql`sums = '7'`,
      sql`until = until - interval '1 day'`,
      sql`until_block = until_block - 1`,
      sql`mac = ''`,
    ]) {
      await write()
      await sql`update chain_checkpoint set ${forged}`.execute(db)
      expect(await read()).toBeUndefined()
    }
    await write()
    clock.advance(-3_600_000)
    expect(await read()).toBeUndefined()
    clock.advance(3_600_000)
    await inTransaction(db, (tx) => deleteSums(tx, 1, Number(checkpoint.untilBlock)))
    expect(await read()).toEqual(checkpoint)
    await inTransaction(db, (tx) => deleteSums(tx, 2, 0))
    expect(await read()).toEqual(checkpoint)
    await inTransaction(db, (tx) => deleteSums(tx, 1, Number(checkpoint.untilBlock) - 1))
    expect(await read()).toBeUndefined()
    await write({ ...checkpoint, untilBlock: BigInt(stories) + 1n })
    expect(await read()).toBeUndefined()
  })
})

it('[I8] is ignored before a difference is reported, and in each manual run', async () => {
  const { db: other } = await testDatabase()
  const deps = { config, clock, ids: randomIds, log: createLog('silent') }
  const run = async (full = false) => {
    clock.advance(60_000)
    await runJob(
      other,
      deps,
      reconcileJob({ ...books, tokens: [], paidTokens: [], rpcUrl: 'http://127.0.0.1:9' }, { now: true, full }),
      'worker',
    )
    return (await confirmedDifferences(other)).map(({ subject, expected }) => [subject, BigInt(expected)])
  }
  await run()
  const paid = (id: string, amount: bigint, at: Date) =>
    inTransaction(other, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into payment_credit (payment_id, part, amount, credited_at, transfer_id) values (${id}, 1, ${amount}, ${at}, 1)`.execute(
        tx,
      )
    })
  // Older than a round's range, and found on demand. The round itself returns the total.
  await paid('late', ONE, new Date(clock.now().getTime() - 9 * DAY_MS))
  expect([await run(), await run()]).toEqual([[], []])
  await paid('now', 2n, clock.now())
  expect([await run(), await run()]).toEqual([[], [['SYS-DEPOSIT USD', ONE + 2n]]])
  await sql`delete from payment_credit where payment_id = 'now'`.execute(other)
  await sql`delete from chain_difference`.execute(other)
  // The sums of wallets are recalculated as well, and not continued.
  const { sums } = NOTHING_SUMMED
  const until = new Date(clock.now().getTime() - 2 * DAY_MS)
  const ofWallets = walletCheckpointOf({ chainId: 1, tokens: [] })
  const kept = { until, untilBlock: -1n, sums: new Map([['0xw native min', 7n]]) }
  await inTransaction(other, (tx) => writeCheckpoint(tx, config, ofWallets, kept))
  const saved = async () => (await readCheckpoint(other, config, ofWallets, clock.now()))?.sums
  await run()
  expect(await saved()).toEqual(kept.sums)
  await run(true)
  expect(await saved()).toEqual(sums)
  await sql`delete from chain_difference`.execute(other)
  expect([await run(true), await run(true)]).toEqual([[], [['SYS-DEPOSIT USD', ONE]]])
})
