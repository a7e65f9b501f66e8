/**
 * `npm run bench -- proof [MEMBERS]`: publishes the proof of balances of 100,000 members by default, each with a balance and a stake,
 * and measures:
 * - the seconds to publish a day alone, and beside money moves over HTTP (64 connections), with the share of moves that are lost;
 * - a member's own proof over HTTP, at the 95th percentile, and its check in Chromium, the median of 50;
 * - the seconds of each audit check of the proof, without a limit.
 * Limits: 180 s beside money moves (for 1,000,000 members on two cores), 20 ms, and 50 ms. The last line is `ratio: X`: the highest
 * part of a limit. `--seconds N`: seconds of moves before and after, without the job. A million members need 8 GB of disk.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { readStatement } from '@tizara/contract/balance-proof/proof-statement'
import { verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { runJob } from '../apps/server/src/jobs/job.ts'
import { runAudit } from '../apps/server/src/ledger/index.ts'
import { trustChecks, trustJobs } from '../apps/server/src/modules/trust/index.ts'
import { DAY_MS, systemClock, testClock } from '../apps/server/src/platform/runtime/clock.ts'
import { openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { openChecker } from '../test/proof/open-checker.ts'
import { percentile, signIn, startApi, startLoad } from './lib/api-process.ts'
import { emailOf, fill, fundAll, instanceDeps, LEADERS, PASSWORD } from './lib/money-instance.ts'
import { moneyRoutes } from './lib/money-routes.ts'
import { addStakes, seconds, settle } from './lib/reward-instance.ts'

const CONNECTIONS = 64
const LIMITS = { publishSeconds: 180, proofMs: 20, checkMs: 50 }
/** Balance of each member: 1,000 USD, so that the sum of a million stays below 2^63 units. */
const BALANCE = 1_000n * ONE
const PROOF_CALLS = 200
/** Number of first calls that are not measured, because they compile code and fill caches. */
const WARM_UP = 20
const CHECKS = 50

const { values, positionals } = readArguments(import.meta.url, { seconds: { type: 'string', default: '15' } }, ['', 'MEMBERS'])
const members = Number(positionals[0] ?? 100_000)
const senders = Array.from({ length: CONNECTIONS }, (_, index) => LEADERS + 1 + index)
const route = moneyRoutes().find(({ name }) => name === 'userToUserDeposit')
if (route === undefined) throw new Error('no route for moves')

const server = await startPostgres({ max_wal_size: '4GB', shared_buffers: '512MB' })
const database = openDatabase({ url: server.url }, { max: 8, limits: false })
const load = startLoad()
const folder = mkdtempSync(path.join(tmpdir(), 'bench-proof-'))
try {
  await migrate(database.pool)
  const filled = await seconds(async () => {
    await fill(database, members, senders)
    const owners = Array.from({ length: members }, (_, index) => index + 1)
    for (let start = 0; start < members; start += 1_000)
      await fundAll(database, owners.slice(start, start + 1_000), 'depositWallet', systemClock.now(), BALANCE)
    await database.db.connection().execute(async (own) => {
      await sql`set session_replication_role = replica`.execute(own)
      await addStakes(own, members)
      // Adds the liabilities, which the books count separately from the stakes.
      await sql`insert into reward_liability_pending (kind, step, starts_at, steps, amount)
        select 'daily', 'day', now(), 1, sum(coin)::bigint from reward_liability_by_member()`.execute(own)
      await sql`reset all`.execute(own)
    })
    await settle(database.pool)
  })
  console.log(`filled ${members} members in ${filled.toFixed(0)} s; load of the machine ${loadavg()[0]?.toFixed(1)}`)

  const clock = testClock(systemClock.now().toISOString())
  const deps = { ...instanceDeps(), clock }
  const [job] = trustJobs()
  if (job === undefined) throw new Error('no job')
  const publish = async () => {
    clock.advance(DAY_MS)
    await settle(database.pool)
    const took = await seconds(() => runJob(database.db, deps, job, 'bench'))
    const { rows } = await database.pool.query<{ text: string }>('select text from trust_statement order by number desc limit 1')
    const statement = readStatement(rows[0]?.text ?? '')
    if (statement.members !== members || statement.owed.usd === 0n || statement.promised.coin === 0n)
      throw new Error('the day was not published')
    return took
  }
  const alone = await publish()
  console.log(`published alone in ${alone.toFixed(1)} s; this process uses ${Math.round(process.memoryUsage().rss / 1_048_576)} MB`)

  const api = await startApi(server.url)
  try {
    const tokens = await signIn(api.port, senders.map(emailOf), PASSWORD)
    const templates = Array.from({ length: 200 * CONNECTIONS }, (_, index) => ({
      method: 'POST' as const,
      path: `/api/v1${route.path}`,
      token: tokens[index % CONNECTIONS] ?? '',
      body: JSON.stringify(route.body(index, emailOf(LEADERS + CONNECTIONS + 1 + (index % (members - LEADERS - CONNECTIONS))))),
      keyed: true,
    }))
    const moves = async (length: number) => {
      const report = await load.run({ port: api.port, connections: CONNECTIONS, seconds: length, templates })
      if (report.byStatus['200'] !== report.answered) throw new Error(`refused: ${JSON.stringify(report.byStatus)} ${report.firstError}`)
      return report
    }
    await moves(2)
    const before = await moves(Number(values.seconds))
    // Runs moves in parts of two seconds. Only parts that begin during the job count.
    const during: { answered: number; seconds: number; times: number[] }[] = []
    let isPublishing = true
    const beside = publish().finally(() => {
      isPublishing = false
    })
    while (isPublishing) during.push(await moves(2))
    const took = await beside
    const after = await moves(Number(values.seconds))
    const rateOf = (parts: readonly { answered: number; seconds: number }[]) =>
      parts.reduce((sum, one) => sum + one.answered, 0) / parts.reduce((sum, one) => sum + one.seconds, 0)
    const [without, rate] = [rateOf([before, after]), rateOf(during)]
    const slow = (parts: readonly { times: number[] }[]) =>
      percentile(
        parts.flatMap(({ times }) => times),
        0.95,
      ).toFixed(0)
    console.log(`published beside money moves in ${took.toFixed(1)} s, limit ${LIMITS.publishSeconds}`)
    console.log(
      `  moves: ${without.toFixed(0)} a second without the job (${slow([before, after])} ms at the 95th percentile), ` +
        `${rate.toFixed(0)} beside it (${slow(during)} ms): ${(100 * (1 - rate / without)).toFixed(0)}% are lost`,
    )

    const read = async (address: string, index: number) => {
      const start = performance.now()
      const reply = await fetch(`http://127.0.0.1:${api.port}/api/v1${address}`, {
        headers: { authorization: tokens[index % CONNECTIONS] ?? '' },
      })
      const { data } = (await reply.json()) as { data?: unknown }
      return { data, took: performance.now() - start }
    }
    // Also times another small read, to show how much of the time the load of the machine causes.
    const times: Record<'proof' | 'other', number[]> = { proof: [], other: [] }
    let proof: unknown
    for (let index = 0; index < PROOF_CALLS + WARM_UP; index += 1) {
      const own = await read('/trust/my-proof', index)
      const other = await read('/trust/history', index)
      proof = own.data
      await verifyProof(proof)
      if (index < WARM_UP) continue
      times.proof.push(own.took)
      times.other.push(other.took)
    }
    const proofMs = percentile(times.proof, 0.95)
    console.log(
      `own proof over HTTP: ${percentile(times.proof, 0.5).toFixed(1)} ms (median), ${proofMs.toFixed(1)} ms at the 95th percentile, ` +
        `limit 20; the history meanwhile ${percentile(times.other, 0.5).toFixed(1)} and ${percentile(times.other, 0.95).toFixed(1)} ms`,
    )

    const file = path.join(folder, 'proof.json')
    writeFileSync(file, JSON.stringify(proof))
    const checker = await openChecker(folder)
    const checks = await checker.time(file, CHECKS)
    await checker.close()
    const checkMs = percentile(checks, 0.5)
    console.log(
      `check in Chromium: ${checkMs.toFixed(1)} ms (median), ${percentile(checks, 0.95).toFixed(1)} ms at the 95th percentile, limit 50`,
    )

    for (const check of trustChecks) {
      const audited = await seconds(async () => {
        const [result] = await runAudit(database.db, [check])
        if (result?.broken !== 0) throw new Error(`the audit found: ${check.title}`)
      })
      console.log(`audit in ${audited.toFixed(1)} s: ${check.title}`)
    }
    const ratios = [took / LIMITS.publishSeconds, proofMs / LIMITS.proofMs, checkMs / LIMITS.checkMs]
    console.log(`load of the machine ${loadavg()[0]?.toFixed(1)}`)
    console.log(`ratio: ${Math.max(...ratios).toFixed(2)}`)
  } finally {
    await api.stop()
  }
} finally {
  await load.stop()
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true })
}
