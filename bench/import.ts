/**
 * `npm run bench -- import`: imports a generated platform with three balances and one running stake for each member, step by step. It
 * prints seconds, processor seconds of this process and of the database, and the largest memory of this process. Required for 1,000,000
 * members on two cores: 15 minutes and 1 GB for all steps. Options: `--members 1000000`, `--share 0.1` (of the required time, for a smaller
 * number of members).
 */
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatUnits, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { runJob } from '../apps/server/src/jobs/job.ts'
import { importReport } from '../apps/server/src/main/import-report.ts'
import {
  approveImport,
  checkImport,
  importJobs,
  importReportJob,
  readImport,
  readReport,
  stageImport,
} from '../apps/server/src/modules/import/index.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { DAY_MS, systemClock } from '../apps/server/src/platform/runtime/clock.ts'
import { randomIds } from '../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../apps/server/src/platform/runtime/log.ts'
import { processorOf, processorOfServer } from './lib/processor.ts'
import { startPostgres } from '../test/postgres.ts'

const REQUIRED_SECONDS = 900
const REQUIRED_MB = 1024
const { values } = readArguments(import.meta.url, {
  members: { type: 'string', default: '1000000' },
  share: { type: 'string', default: '' },
})
const count = Number(values.members)
const share = values.share === '' ? count / 1_000_000 : Number(values.share)

const folder = mkdtempSync(path.join(tmpdir(), 'import-bench-'))
const started = Math.floor(Date.now() / 1000) * 1000
const timeOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

/** Writes a file row by row, and waits when the disk is slower. */
async function write(name: string, header: string, rows: (index: number) => string): Promise<void> {
  const file = createWriteStream(path.join(folder, name))
  file.write(`${header}\n`)
  for (let index = 0; index < count; index += 1) if (!file.write(rows(index))) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
}

async function generate(): Promise<void> {
  await write(
    'members.csv',
    'id,email,name,phone,referral_code,sponsor_id,joined_at,verified,active,password_hash',
    (index) =>
      `m${index},m${index}@gmail.com,Member ${index},+2348031234567,CODE${index}00,${index === 0 ? '' : `m${Math.floor(index / 3)}`},2021-03-04T05:06:07Z,true,true,\n`,
  )
  await write('balances.csv', 'member_id,wallet,amount', (index) =>
    ['depositWallet', 'nativeWallet', 'icoWallet'].map((wallet) => `m${index},${wallet},${1 + (index % 90)}.5\n`).join(''),
  )
  await write('stakes.csv', 'member_id,plan,wallet,amount,percent,duration_days,started_at,paid_days', (index) => {
    const passed = index % 200
    return `m${index},Old year,nativeWallet,${2 + (index % 100)},50,365,${timeOf(started - passed * DAY_MS - 3_600_000)},${passed}\n`
  })
  writeFileSync(path.join(folder, 'standing.csv'), 'member_id,rank,special\n')
  writeFileSync(path.join(folder, 'totals.json'), '{}')
  const { totals } = await checkImport(folder, systemClock.now())
  const text = (sums: Record<string, bigint>) => Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, formatUnits(sum)]))
  const { balances, promisedCoin, promisedUsd } = totals
  const sums = { balances: text(balances), promisedCoin: text(promisedCoin), promisedUsd: text(promisedUsd) }
  writeFileSync(path.join(folder, 'totals.json'), JSON.stringify({ ...totals, ...sums }))
}

const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4, limits: false })
const { db } = database
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') }
const total = { seconds: 0, mb: 0 }

const processor = () => [processorOf(process.pid) ?? 0, processorOfServer(server)] as const

/** Runs one step, and prints its seconds and the largest memory during it. */
async function step<T>(name: string, work: () => Promise<T>, isCounted = true): Promise<T> {
  let mb = 0
  const sample = () => (mb = Math.max(mb, process.memoryUsage.rss() / 2 ** 20))
  const timer = setInterval(sample, 50)
  const [began, before] = [performance.now(), processor()]
  try {
    return await work()
  } finally {
    clearInterval(timer)
    sample()
    const seconds = (performance.now() - began) / 1000
    if (isCounted) {
      total.seconds += seconds
      total.mb = Math.max(total.mb, mb)
    }
    const [own, sessions] = processor().map((now, index) => (now - (before[index] ?? 0)).toFixed(1).padStart(8))
    console.log(
      `${name.padEnd(36)}${seconds.toFixed(1).padStart(8)} s, processor${own} s here,${sessions} s database,${mb.toFixed(0).padStart(6)} MB`,
    )
  }
}

try {
  await migrate(database.pool)
  const plan = { public_id: 'old-year', name: 'Old year', duration_days: 365, minimum: 1n, apy: ONE, is_omega: false, status: 'CLOSED' }
  await db
    .insertInto('stake_plan')
    .values({ ...plan, created_at: systemClock.now() })
    .execute()
  await step('generate the files', generate, false)
  await step('check', async () => {
    const { faults } = await checkImport(folder, systemClock.now())
    if (faults.count > 0) throw new Error(JSON.stringify(faults.listed.slice(0, 3)))
  })
  const { hash } = await step('check and store', () => inTransaction(db, (tx) => stageImport(tx, deps, folder)))
  await step('approve', () => inTransaction(db, (tx) => approveImport(tx, deps, hash)))
  await step('add members, balances and stakes', async () => {
    for (const job of importJobs) await runJob(db, deps, job, 'bench')
  })
  const { status, refusal } = await readImport(db, hash)
  if (status !== 'DONE') throw new Error(refusal ?? status)
  await step('report', () => runJob(db, deps, importReportJob(importReport), 'bench'))
  await readReport(db, hash)
  const { rows } = await sql<{ stakes: number }>`select count(*)::int as stakes from stake`.execute(db)
  const limit = REQUIRED_SECONDS * share
  console.log(
    `${count} members, ${count * 3} balances and ${rows[0]?.stakes} stakes: ${total.seconds.toFixed(0)} s (required ${limit.toFixed(0)}),`,
  )
  console.log(`${total.mb.toFixed(0)} MB (required ${REQUIRED_MB})`)
  console.log(`ratio: ${(limit / total.seconds).toFixed(2)}`)
} finally {
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
