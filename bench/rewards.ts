/**
 * `npm run bench -- rewards [MEMBERS]`: compares one day's reward run for 1,000,000 members, each with a stake, in one forest of
 * five levels, with bare inserts and updates of as many rows in the same database (copies of the same tables and indexes). The last
 * line is `ratio: X`, run time to bare time, the median of the days; required: 1.7, goal: 1.5. Also prints the times of the leader's pages.
 * - `--workers N`: the same day with one worker and with N, in turns; the last line is the median ratio of N to one (goal for two
 * workers on two cores: 0.6).
 * - `--stakes N`: N/10 members with a stake each, then N members; the last line is the ratio of the fastest days (goal: 10.5),
 * with `--workers` workers (default one). 10,000,000 need about 20 GB disk space.
 * - `--rounds N`: measured days per variant.
 */
import { sql } from 'kysely'
import { startPostgres } from '../test/postgres.ts'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { type Database, type Db, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { percentile } from './lib/api-process.ts'
import { timePages } from './lib/leader-pages.ts'
import { reportMachine } from './lib/quiet-machine.ts'
import { build, runDay, seconds, settle } from './lib/reward-instance.ts'

const { values, positionals } = readArguments(
  import.meta.url,
  { workers: { type: 'string' }, stakes: { type: 'string' }, rounds: { type: 'string', default: '5' } },
  ['', 'MEMBERS'],
)
const size = Number(values.stakes ?? positionals[0] ?? 1_000_000)
const ROUNDS = Number(values.rounds)
const workers = Number(values.workers ?? 1)

const TABLES = ['reward_accrual', 'reward_credit', 'ledger_transfer', 'reward_source', 'ledger_account'] as const

/** Copies the tables written by a run, with the same indexes and checks. */
async function makeBare(db: Db): Promise<void> {
  for (const table of TABLES) {
    await sql`create table ${sql.table(`bare_${table}`)} (like ${sql.table(table)} including all excluding identity excluding generated)`.execute(
      db,
    )
  }
  await sql`alter table bare_reward_source set (fillfactor = 48)`.execute(db)
  await sql`alter table bare_ledger_account set (fillfactor = 50)`.execute(db)
  await sql`insert into bare_reward_source select * from reward_source`.execute(db)
  await sql`insert into bare_ledger_account select * from ledger_account where id > 0`.execute(db)
}

/** Writes and updates as many rows as the last run, in the fewest statements and without calculations. */
async function runBare({ db, pool }: Database, run: number): Promise<[string, number][]> {
  await sql`drop table if exists bare_credit_of`.execute(db)
  await sql`create table bare_credit_of as select member_id from reward_credit where amount > 0 and run_id = ${run}`.execute(db)
  await settle(pool)
  const steps: [string, number][] = []
  const step = async (name: string, work: () => Promise<unknown>) => steps.push([name, await seconds(work)])
  await step('insert accruals', () => sql`insert into bare_reward_accrual select * from reward_accrual where run_id = ${run}`.execute(db))
  await step('advance sources', () => sql`update bare_reward_source set processed = processed + 1`.execute(db))
  await step('insert credits', () => sql`insert into bare_reward_credit select * from reward_credit where run_id = ${run}`.execute(db))
  await step('insert transfers', () =>
    sql`insert into bare_ledger_transfer select * from ledger_transfer where cause_type = 'reward_run' and cause_id = ${String(run)}`.execute(
      db,
    ),
  )
  await step('update balances', () =>
    sql`update bare_ledger_account set balance = balance + 1, version = version + 1 where id in (select member_id * 16 + 2 from bare_credit_of)`.execute(
      db,
    ),
  )
  return steps
}

async function instance(members: number, work: (database: Database, url: string) => Promise<void>): Promise<void> {
  const server = await startPostgres({ max_wal_size: '4GB', shared_buffers: members > 2_000_000 ? '4GB' : '512MB' })
  try {
    const database = openDatabase({ url: server.url }, { max: 8, limits: false })
    await migrate(database.pool)
    console.log(`building ${members} members with a stake each: ${(await seconds(() => build(database, members))).toFixed(1)} s`)
    await work(database, server.url)
    await database.close()
  } finally {
    await server.stop()
  }
}

/** Returns the memory of this process in MB. */
const memory = () => Math.round(process.memoryUsage().rss / 1_048_576)
const best = (times: readonly number[]) => Math.min(...times)
const total = (steps: readonly [string, number][]) => steps.reduce((sum, [, took]) => sum + took, 0)

/** Returns the median of run time ÷ bare time. Both times are from the same round, because the database grows with each day. */
async function compare(database: Database): Promise<number> {
  const ratios: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    await settle(database.pool)
    const run = await runDay(database.db, round)
    if (round === 1) await makeBare(database.db)
    const steps = await runBare(database, round)
    ratios.push(run / total(steps))
    const parts = steps.map(([name, took]) => `${name} ${took.toFixed(1)}`).join(', ')
    console.log(`day ${round}: run ${run.toFixed(1)} s, bare ${total(steps).toFixed(1)} s (${parts})`)
  }
  return percentile(ratios, 0.5)
}

/** Compares the two days of one round, because the database grows with each day. Each side starts equally often. */
async function compareWorkers({ db, pool }: Database): Promise<number> {
  const ratios: number[] = []
  // Pays the first day without a measurement, because its rows have no earlier versions, which would favour the first side.
  await runDay(db, 1)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const times = new Map<number, number>()
    for (const [turn, count] of (round % 2 === 0 ? [workers, 1] : [1, workers]).entries()) {
      await settle(pool)
      times.set(count, await runDay(db, 2 * round + turn, count))
    }
    const [one = 0, more = 0] = [times.get(1), times.get(workers)]
    ratios.push(more / one)
    console.log(`one worker ${one.toFixed(1)} s, ${workers} workers ${more.toFixed(1)} s: ${(more / one).toFixed(2)}`)
  }
  return percentile(ratios, 0.5)
}

async function days({ db, pool }: Database, members: number): Promise<number> {
  const before = memory()
  const runs: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    await settle(pool)
    runs.push(await runDay(db, round, workers))
  }
  console.log(`${members} stakes: ${runs.map((run) => run.toFixed(1)).join(', ')} s a day; this process grew by ${memory() - before} MB`)
  return best(runs)
}

async function say({ db }: Database): Promise<void> {
  const rows = await sql<{ accruals: bigint; credits: bigint; transfers: bigint; open: bigint; bytes: string }>`
    select (select count(*) from reward_accrual) as accruals, (select count(*) from reward_credit) as credits,
      (select count(*) from ledger_transfer where cause_type = 'reward_run' and kind <> 'shardMove') as transfers,
      (select count(*) from reward_run where status <> 'DONE') as open, pg_size_pretty(pg_database_size(current_database())) as bytes`.execute(
    db,
  )
  console.log(rows.rows[0])
}

/** Reads the pages with the time-outs of the API. */
async function sayPages(database: Database, url: string): Promise<void> {
  const pages = openDatabase({ url })
  await timePages(database, pages.db)
  await pages.close()
}

await reportMachine()
let ratio = 0
if (values.stakes !== undefined) {
  let tenth = 0
  await instance(size / 10, async (database) => {
    tenth = await days(database, size / 10)
  })
  await instance(size, async (database, url) => {
    ratio = (await days(database, size)) / tenth
    await say(database)
    await sayPages(database, url)
  })
} else
  await instance(size, async (database, url) => {
    ratio = values.workers === undefined ? await compare(database) : await compareWorkers(database)
    await say(database)
    if (values.workers === undefined) await sayPages(database, url)
  })
console.log(`ratio: ${ratio.toFixed(2)}`)
