import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeStory } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { searchSample } from '../../../../../test/search.ts'
import { openForDamage, planted } from '../../planted.ts'
import { closeMonths } from '../../close-months.ts'
import { runChecks } from '../../../src/ledger/audit.ts'
import { type AuditWindow, monthInTurn } from '../../../src/ledger/audit-window.ts'
import { ledgerChecks, openWindow } from '../../../src/ledger/index.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { allChecks } from '../../../src/main/all-checks.ts'
import { seedDemo } from '../../../src/sandbox/demo/seed-demo.ts'
import { createPorts } from '../../../src/main/ports.ts'

const { db } = await testDatabase(4)
const config = readConfig({ NODE_ENV: 'test' })
const deps = { config, clock: testClock('2026-03-02T09:00:00Z'), ids: randomIds, log: createLog('silent') }
await seedDemo(db, deps, createPorts(config, 'http://127.0.0.1:9'))
await completeStory(db, deps)

const broken = async (on: Db, window?: AuditWindow, checks = allChecks) =>
  (await runChecks(on, checks, window)).filter((one) => one.broken > 0).map((one) => one.check.title)

let connection: Db
let close = async () => {}
/** Window after the newest period close, and the closed months. */
let newer: AuditWindow
let months: AuditWindow[] = []
/** Findings caused by the disabled guards. */
let open: string[] = []
const isNew = (title: string) => !open.includes(title)
const nightly = async (checks: typeof allChecks) => (await broken(connection, newer, checks)).filter(isNew)
/** Only checks that name the table can detect the damage. */
const checksThatName = (...names: string[]) => allChecks.filter((one) => names.some((name) => one.sql.includes(name)))

beforeAll(async () => {
  expect(await closeMonths(db, deps)).toBe(2)
  newer = (await openWindow(db)) as AuditWindow
  months = (await Promise.all([0, 1].map((turn) => monthInTurn(db, turn)))) as AuditWindow[]
  for (const window of [undefined, newer, ...months]) expect(await broken(db, window)).toEqual([])
  ;({ connection, close } = await openForDamage(db))
  open = await broken(connection)
})
afterAll(() => close())

const MOVES = ['swapNative', 'nftToDeposit', 'userToUser']
const COPY = `posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after, created_at, resolves,
  rule_version, pending, asset, kind, cause_type, cause_id`
const damages = (id: bigint): Record<string, string> => ({
  repeated: `insert into ledger_transfer (id, ${COPY}) select 900000, ${COPY.replace('posting_id', '900000')} from ledger_transfer where id = ${id}`,
  'repeated with an old time': `insert into ledger_transfer (id, ${COPY}) select 900000,
    ${COPY.replace('posting_id', '900000').replace('created_at', "created_at - interval '40 days'")} from ledger_transfer where id = ${id}`,
  missing: `delete from ledger_transfer where id = ${id}`,
  'of another amount': `update ledger_transfer set amount = amount * 2 + 1 where id = ${id}`,
  'of another cause': `update ledger_transfer set cause_id = 'other' where id = ${id}`,
})

describe('audit of rows after the newest close', async () => {
  const legs = await sql<{ id: bigint; kind: string; isNew: boolean }>`
    select distinct on (kind) id, kind, created_at >= '2026-03-01' as "isNew" from ledger_transfer where kind not in ('issue', 'shardMove') order by kind, id desc`.execute(
    db,
  )

  const cases = legs.rows.map((leg, index) => ({ ...leg, index }))

  it.each(cases.filter((leg) => leg.isNew))('[I4] reports damage to a transfer of $kind by its cause', async ({ id, kind, index }) => {
    const missed: string[] = []
    for (const [name, damage] of searchSample(Object.entries(damages(id)), index, 4)) {
      const checks = MOVES.includes(kind) ? allChecks : checksThatName(`'${kind}'`).filter((one) => !ledgerChecks.includes(one))
      const found = await planted(connection, damage, () => nightly(checks))
      if (found.length === 0) missed.push(name)
    }
    expect(missed).toEqual([])
  })

  it.each(cases.filter((leg) => !leg.isNew))(
    '[I3] reports a changed $kind of a closed month when that month is checked',
    async ({ id, index }) => {
      for (const damage of searchSample(Object.values(damages(id)).slice(2), index, 2)) {
        const found = await planted(connection, damage, async () =>
          (await Promise.all(months.map((one) => broken(connection, one)))).flat(),
        )
        expect(found.filter(isNew)).not.toEqual([])
      }
    },
  )
})

const TABLES = `'coin_purchase', 'stake', 'wallet_exchange', 'payout_request', 'deposit', 'provider_payment', 'payment_credit', 'invoice_transfer',
  'nft_purchase', 'reward_instant', 'reward_source', 'reward_accrual', 'reward_credit', 'reward_payment', 'reward_run', 'reward_day'`

describe('money facts', async () => {
  const columns = await sql<{ name: string; table: string; column: string }>`
    select table_name || '.' || column_name as name, table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'
      and table_name in (${sql.raw(TABLES)}) and (data_type in ('bigint', 'numeric') or column_name ~ '^n[0-5]$') and column_name !~ '(^|_)(id|by)$'
    order by 1, 2`.execute(db)
  let [tried, noticed] = [0, 0]

  it.each(searchSample(columns.rows, 0, 2).map((one, index) => ({ ...one, index })))(
    '[I4] are checked by the nightly audit or with their month: $name',
    async ({ table, column, index }) => {
      for (const order of searchSample(['', ' desc'], index, 2)) {
        const damage = `update ${table} set ${column} = ${column} * 2 + 1
        where ctid = (select ctid from ${table} where ${column} is not null order by ctid${order} limit 1)`
        await planted(connection, damage, async () => {
          const checks = checksThatName(table)
          let found = await nightly(checks)
          for (const month of months) if (found.length === 0) found = (await broken(connection, month, checks)).filter(isNew)
          tried += 1
          noticed += Math.min(found.length, 1)
          expect(found.length > 0 ? [] : (await broken(connection, undefined, checks)).filter(isNew)).toEqual([])
        })
      }
    },
  )

  it('are covered for most rows', () => {
    expect(noticed).toBeGreaterThan(tried / 2)
  })
})
