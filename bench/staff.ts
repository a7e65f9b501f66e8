/**
 * `npm run bench -- staff`: times every read of the staff console over HTTP. The instance has 100,000 members, 10,000 open items (payouts,
 * bridge transfers, tickets), 10,000 cases, matches and linked accounts each, and 1,000,000 transfers. The limit at the 95th percentile is
 * 200 ms, and 100 ms for a queue, an item and the search. The last line is `ratio: X`: the slowest read to its limit. Options: `--calls 40`
 * per read, `--only PART` of its name, `--scale 0.02` for a smaller instance, to try the benchmark.
 */
import { loadavg } from 'node:os'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ONE } from '@tizara/money'
import { type Job, runJob } from '../apps/server/src/jobs/job.ts'
import { hashPassword } from '../apps/server/src/modules/auth/index.ts'
import { staffRecurringJobs } from '../apps/server/src/modules/staff/index.ts'
import { systemClock } from '../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { setPayoutRules } from '../apps/server/src/modules/withdrawals/index.ts'
import { inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { randomIds } from '../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../apps/server/src/platform/runtime/log.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { DATA_KEY, percentile, signIn, startApi } from './lib/api-process.ts'
import { ADMIN, fillStaffInstance } from './lib/staff-instance.ts'
import { staffReads } from './lib/staff-reads.ts'

const PASSWORD = 'violet-harbour-93'
const RULES = [
  {
    action: 'approve' as const,
    name: 'Small',
    kind: 'withdrawal' as const,
    atMost: ONE,
    accountDays: 30,
    dayCount: 100,
    daySum: 100n * ONE,
    memberDayCount: 1,
    memberDaySum: ONE,
  },
]

function jobOf(name: string): Job {
  const job = staffRecurringJobs.find((one) => one.name === name)
  if (job === undefined) throw new Error(`no job ${name}`)
  return job
}

const { values } = readArguments(import.meta.url, {
  calls: { type: 'string', default: '40' },
  only: { type: 'string', default: '' },
  scale: { type: 'string', default: '1' },
})
const scale = Number(values.scale)
const size = { members: 100_000 * scale, transfers: 1_000_000 * scale, open: 10_000 * scale }
const reads = staffReads(size).filter(({ name }) => name.includes(values.only))

const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4, limits: false })
try {
  await migrate(database.pool)
  const start = performance.now()
  await fillStaffInstance(database, size, await hashPassword(PASSWORD))
  const deps = { config: readConfig({ NODE_ENV: 'test', DATA_KEY }), clock: systemClock, ids: randomIds, log: createLog('silent') }
  // Runs the job several times, because one run sums only a few past days.
  const unwritten = 'select 1 from wallet_day w where not exists (select from daily_total h where h.day = w.day) limit 1'
  while ((await database.pool.query(unwritten)).rowCount === 1) await runJob(database.db, deps, jobOf('watch-platform'), 'bench')
  // Closes up to 100 days per run.
  for (let run = 0; run < 5; run += 1) await runJob(database.db, deps, jobOf('business-days'), 'bench')
  await inTransaction(database.db, (tx) => setPayoutRules(tx, deps, { rules: RULES, actorId: null, reason: 'bench' }))
  await database.pool.query(
    `update payout_request set rule_version = 1, rule_name = 'Small', rule_outcome = 'CEILING', ceiling_of = 'rule', ceiling_free_at = now()
     where id % 2 = 0 and status = 'PENDING'`,
  )
  await database.pool.query('vacuum analyze payout_request')
  await database.pool.query('update ledger_stop set lifted_at = now() where lifted_at is null')
  console.log(`filled in ${((performance.now() - start) / 1000).toFixed(0)} s; load of the machine: ${loadavg()[0]?.toFixed(1)}`)
  const api = await startApi(server.url)
  try {
    const [token = ''] = await signIn(api.port, [ADMIN], PASSWORD)
    // Marks the session as opened with a second factor.
    await database.pool.query('update session set second_factor_at = now()')
    await database.pool.query(`update member set second_factor = true where role <> 'MEMBER'`)
    const measured = []
    for (const { path, limit } of reads) {
      const times: number[] = []
      for (let call = 0; call < Number(values.calls) + 3; call += 1) {
        const began = performance.now()
        const reply = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, { headers: { authorization: token } })
        const text = await reply.text()
        if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 200)}`)
        if (call >= 3) times.push(performance.now() - began)
      }
      const p95 = percentile(times, 0.95)
      measured.push({ path, ratio: p95 / limit })
      console.log(`${path.padEnd(72)} ${p95.toFixed(1).padStart(7)} ms of ${limit}   ${(p95 / limit).toFixed(2)}`)
    }
    const [slowest] = measured.toSorted((one, other) => other.ratio - one.ratio)
    console.log(`${measured.length} reads; slowest: ${slowest?.path}; load ${loadavg()[0]?.toFixed(1)}`)
    console.log(`ratio: ${(slowest?.ratio ?? 0).toFixed(2)}`)
  } finally {
    await api.stop()
  }
} finally {
  await database.close()
  await server.stop()
}
