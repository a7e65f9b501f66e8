/**
 * `npm run test:cluster`: breaks a cluster from deploy/cluster under a load of every money route, and reports the effect on members. The
 * drill kills the primary, each API process and each worker twenty times. It also disconnects replicas and the primary, stops etcd's
 * quorum, and loses part of a reward run in a failover. Each round is printed and written to a file. The exit code is 0 only if:
 * - each acknowledged call took effect exactly once, and no rejected call took effect;
 * - no call got a response that clients must never see (status 5xx or 401, or after more than 15 s), and members saw their own money
 *   movements at once;
 * - service returned within 30 seconds after each fault, and the old primary returned as a replica;
 * - the audit passes.
 * Options: `-- --rounds 2` for fewer rounds, `-- --only cut` for faults by name, `-- --file FILE` for the output file. The drill needs
 * the cluster's programs, and root rights to disconnect machines, so it is not part of `npm test`. With `-- --routes` it instead runs
 * all server tests through a PgBouncer in transaction mode; file names after this option select tests.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../../apps/server/src/cli/command-line.mjs'
import { checksOfTests } from '../../apps/server/test/audited-instance.ts'
import { runAudit } from '../../apps/server/src/ledger/index.ts'
import { openDatabase } from '../../apps/server/src/platform/db/database.ts'
import { startSandboxProvider } from '../../apps/server/src/sandbox/index.ts'
import { compare } from './compare.ts'
import { fillForDrill, MEMBERS, SENDERS, STAFF } from './drill-instance.ts'
import { faultsOf } from './faults.ts'
import { networks } from './hosts.ts'
import { waitUntilReady, openCluster } from './instance.ts'
import { startLoad } from './load.ts'
import { findPrograms } from './programs.ts'
import { drillLostRewards } from './lost-rewards.ts'
import { openReport, repeatFault } from './rounds.ts'
import { watchJobs } from './watched-jobs.ts'

const { values, positionals } = readArguments(
  import.meta.url,
  {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    file: { type: 'string', default: path.join(tmpdir(), 'cluster-figures.log') },
    routes: { type: 'boolean', default: false },
  },
  ['', 'FILE…'],
)
if (values.routes) {
  findPrograms()
  const { status } = spawnSync('vitest', ['run', '--project', 'server', ...positionals], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, TEST_POOLER: 'pgbouncer' },
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
rmSync(values.file, { force: true })
const say = openReport(values.file)
const began = performance.now()
const SECRET = randomBytes(20).toString('hex')
const LOST_RUN = 'a failover in a reward run'
const SETTINGS = { RATE_LIMIT_SCALE: '100000', ACCESS_TOKEN_SECONDS: '3600', STAFF_SECOND_FACTOR: 'off' }
const provider = await startSandboxProvider({ secret: SECRET, port: 0 })
const cluster = await openCluster({ ...SETTINGS, PAYMENT_PROVIDER_URL: provider.url, PAYMENT_PROVIDER_SECRET: SECRET })
await fillForDrill(cluster.ownerUrl)
for (const one of [...cluster.apis, ...cluster.workers]) one.start()
await waitUntilReady(cluster.membersUrl)
const urls = cluster.apis.map(({ url }) => url as string)
const load = await startLoad(cluster.membersUrl, SENDERS, MEMBERS, { emails: STAFF, urls })
const jobs = watchJobs(cluster.ownerUrl)
await load.waitForMove()
say('| Fault | count | seconds without any move, min / median / max | slowest call | until all machines were back |')

const wrong: string[] = []
const selectedFaults = faultsOf(cluster, Number(values.rounds)).filter(({ what }) => what.includes(values.only))
if (selectedFaults.length === 0 && !LOST_RUN.includes(values.only)) wrong.push(`no fault is named “${values.only}”`)
for (const fault of selectedFaults) {
  try {
    wrong.push(...(await repeatFault(fault, load, cluster.database, say)))
  } catch (error) {
    const why = `${fault.what}: ${error instanceof Error ? error.message : String(error)}`
    say(why)
    wrong.push(why)
    // Compares the results so far, and saves the logs, because the end of the cluster deletes the logs.
    cpSync(cluster.folder, `${values.file}.logs`, { recursive: true, filter: (name) => /\.log$|pg\d$|front$|cluster$/.test(name) })
    break
  }
  const { job, seconds } = jobs.longest()
  say(`longest interruption of a job: ${job}, ${seconds.toFixed(1)} s; ${load.acknowledged.length} calls answered so far`)
}
jobs.stop()
await load.stop()

const { figures, problems } = await compare(load, cluster.ownerUrl)
wrong.push(...problems, ...[...load.unacceptable].map(([what, count]) => `${count} × ${what}`))
say(
  `${Object.entries({ ...figures, reads: load.reads })
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}; slowest single response ${Math.round(load.acknowledged.reduce((max, { slowest }) => Math.max(max, slowest), 0))} ms`,
)
const audited = openDatabase({ url: cluster.ownerUrl }, { max: 2, limits: false })
const checks = await runAudit(audited.db, checksOfTests)
wrong.push(...checks.flatMap(({ check, broken }) => (broken > 0 ? [`the audit: ${check.title}: ${broken}`] : [])))
await audited.close()
say(`the audit made ${checks.length} checks, ${checks.filter(({ broken }) => broken > 0).length} failed`)
if (LOST_RUN.includes(values.only)) wrong.push(...(await drillLostRewards(cluster, say)))
await cluster.close()
await provider.close()
for (const one of wrong.slice(0, 40)) say(`FAILED: ${one}`)
if (!networks) say('without root, machines were stopped instead of disconnected')
say(
  `${wrong.length === 0 ? 'passed' : `${wrong.length} failures`}, after ${Math.round((performance.now() - began) / 60_000)} min; ${values.file}`,
)
process.exit(wrong.length === 0 ? 0 : 1)
