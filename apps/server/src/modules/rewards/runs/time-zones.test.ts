import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'

const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/**
 * An instance in its own process, with its own time zone. It plays some days, four steps a day and around local midnights, and prints all
 * day-related data.
 */
const STORY = `
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { openDatabase } from ${here('../../../platform/db/database.ts')}
import { upcomingByDay } from ${here('../../staking/upcoming.queries.ts')}
import { coinPriceDays } from ${here('../../settings/settings.queries.ts')}
import { forecastByMonth } from ${here('../pool/liabilities.ts')}
import { weeklyRewards } from ${here('../lists/reward-totals.ts')}
import { testInstance } from ${here('../../../../test/test-instance.ts')}
BigInt.prototype.toJSON = function () { return this.toString() }
const database = openDatabase({ url: process.env.URL }, { max: 4 })
const { db } = database
const instance = await testInstance(database, process.env.START)
const { clock } = instance
await instance.fundPool('COIN', 1_000_000n * ONE)
await instance.fundPool('USD', 1_000_000n * ONE)
const top = await instance.join()
const member = await instance.join({ sponsor: top })
const hours = (count) => clock.advance(count * 3_600_000)
await instance.stake(member, { amount: 1000n * ONE, apy: 100n * ONE, days: 100 })
await instance.buyNft(member, { price: 100n * ONE, percent: 60n * ONE, months: 6 })
for (let tick = 1; tick <= 28; tick += 1) {
  hours([5, 1, 1, 17][tick % 4])
  if (tick % 9 === 0) await instance.stake(member, { amount: 1000n * ONE, apy: 100n * ONE, days: 2, omega: tick % 2 === 0 })
  await instance.job()
  await instance.job('reward-run')
}
const rows = async (query) => (await query.execute(db)).rows
const days = await rows(sql\`select day::text, status, accruals::int, total_coin, total_usd from reward_day order by day\`)
const accruals = await rows(sql\`select source_id::int as source, ordinal, extract(epoch from due_at)::int as due, amount, r.day::text
  from reward_accrual f join reward_run r on r.id = f.run_id order by 1, 2\`)
const now = clock.now()
const wallets = [await instance.wallet(member, 'nativeWallet'), await instance.wallet(top, 'nativeWallet'), await instance.wallet(member, 'nftWallet')]
const dates = [
  await upcomingByDay(db, member.id, now, 90),
  await upcomingByDay(db, top.id, now, 90),
  await forecastByMonth(db, now.toISOString().slice(0, 10)),
  (await weeklyRewards(db, member.id, 4, now)).weeks.map((week) => [week.startsOn, week.sums]),
  await coinPriceDays(db, now, 12),
]
const damage = await instance.damage()
const local = new Date(process.env.START).getTimezoneOffset()
const zone = (await rows(sql\`select current_setting('timezone') as session, (select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()) as instance\`))[0]
await database.close()
console.log(JSON.stringify({ reported: { days, accruals, wallets, dates, damage }, zone: { local, ...zone } }))
`

async function play(database: TestDatabase, zones: { process: string; database: string }, start: string) {
  const name = new URL(database.url ?? '').pathname.slice(1)
  await sql`alter database ${sql.id(name)} set timezone = ${sql.lit(zones.database)}`.execute(database.db)
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    NODE_ENV: 'test',
    TZ: zones.process,
    URL: database.url,
    START: start,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', STORY], { env, cwd: import.meta.dirname })
  const last: { reported: ReportedState; zone: { local: number; session: string; instance: string[] } } = JSON.parse(
    stdout.trim().split('\n').at(-1) ?? '',
  )
  return last
}

interface ReportedState {
  days: { day: string; status: string; accruals: number }[]
  accruals: { source: number; ordinal: number; due: number; day: string }[]
  wallets: string[]
  dates: unknown[]
  damage: string[]
}

// The embedded database lives in the server's process, without its own settings.
const [spring, autumn, ...unused] = [await testDatabase(), await testDatabase(), await testDatabase(), await testDatabase()]
const onServer = spring.url === undefined ? () => undefined : describe

it('every session uses UTC', async () => {
  const { rows } = await sql<{ zone: string }>`select current_setting('timezone') as zone`.execute(spring.db)
  expect(rows[0]?.zone).toMatch(/^(UTC|GMT|Etc\/UTC)$/)
})

onServer('business days, whatever zone machine and database are in', () => {
  it.each([
    // On 8 March clocks go forward in New York at 2 a.m. and in Havana at midnight. On 1 November they go back, in Newfoundland too.
    ['the start of summer time', '2026-03-05T23:30:00Z', spring, { process: 'America/New_York', database: 'America/Havana' }, 300],
    ['the end of summer time', '2026-10-29T23:30:00Z', autumn, { process: 'America/New_York', database: 'America/St_Johns' }, 240],
  ])('[I18] reward days are UTC days around %s', async (_, start, database, zones, offset) => {
    const other = await play(database, zones, start)
    // Proves both zones: the machine's offset, and the database's setting below the session's own.
    expect(other.zone).toEqual({ local: offset, session: 'UTC', instance: [`TimeZone=${zones.database}`] })
    const { reported } = other
    expect(reported.damage).toEqual([])
    const days = reported.days.map((row) => row.day)
    const firstDay = Date.parse(`${days[0]}T00:00:00Z`)
    expect(days).toEqual(days.map((_day, index) => new Date(firstDay + index * 86_400_000).toISOString().slice(0, 10)))
    expect(reported.days.length).toBeGreaterThanOrEqual(7)
    // The first stake was paid every 24 hours, on the UTC day when it was due.
    expect(reported.accruals.filter((accrual) => accrual.source === reported.accruals[0]?.source).length).toBeGreaterThanOrEqual(6)
    for (const accrual of reported.accruals) expect(new Date(accrual.due * 1000).toISOString().slice(0, 10)).toBe(accrual.day)
    const plain = unused.pop()
    if (plain === undefined) throw new Error('no database left')
    expect((await play(plain, { process: 'UTC', database: 'UTC' }, start)).reported).toEqual(reported)
  })
})
