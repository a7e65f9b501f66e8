/**
 * `npm run drill:signals`: stops `npm run api`, `npm run worker` and `npm start` thirty times each under load: with one or several TERM
 * signals, to the process or its group, with and without npm. Prints the slowest stop. The exit code is 0 only if every server exited
 * with 0 within 10 seconds, the ledger has all acknowledged transfers, no lease is held, the worker finds due work, and the audit passes.
 * `-- --attempts 5` stops less often.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { openInstance, waitUntilReady } from './instance.ts'
import { type Load, report, startLoad } from './load.ts'
import { root } from './versions.ts'

const { values } = readArguments(import.meta.url, { attempts: { type: 'string', default: '30' } })
const LIMIT = 10_000

/** Way to start and stop a server. */
interface StopMethod {
  name: string
  npm: boolean
  group: boolean
  signals: number
}
const STOP_METHODS: readonly StopMethod[] = [
  { name: 'one TERM to the process', npm: false, group: false, signals: 1 },
  { name: 'three TERM to the process', npm: false, group: false, signals: 3 },
  { name: 'two TERM to its group', npm: false, group: true, signals: 2 },
  { name: 'one TERM to npm', npm: true, group: false, signals: 1 },
  { name: 'two TERM to the group of npm', npm: true, group: true, signals: 2 },
]
const SERVERS = { api: 'api', worker: 'worker', start: 'serve' } as const
type Server = keyof typeof SERVERS

const instance = await openInstance({ ACCESS_TOKEN_SECONDS: '3600' })
const exitLog = path.join(instance.folder, 'ends')
const hook = path.join(instance.folder, 'note-end.mjs')
writeFileSync(
  hook,
  `import { appendFileSync } from 'node:fs'\nprocess.on('exit', (code) => appendFileSync(${JSON.stringify(exitLog)}, process.argv[1] + ' ' + code + '\\n'))\n`,
)
const env = { ...process.env, ...instance.env, NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` }
for (const step of ['migrate', 'seed'])
  execFileSync(process.execPath, [entryFile(step)], {
    env: { ...instance.env, DATA_DIR: path.join(instance.folder, 'seed') },
    stdio: 'ignore',
  })

/** Returns the exit code of the server process itself, also below npm and a shell; undefined if the process was killed. */
async function waitForExitCode(server: Server, group: number): Promise<number | undefined> {
  const own = new RegExp(`/${SERVERS[server]}\\.ts (\\d+)$`, 'm')
  for (const began = performance.now(); performance.now() - began < LIMIT + 2_000; await pause(10)) {
    const code = own.exec(readFileSync(exitLog, 'utf8'))?.[1]
    if (code !== undefined) return Number(code)
  }
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group ended without a recorded exit code.
  }
  return undefined
}

const database = new Client({ connectionString: instance.postgres.url })
await database.connect()
const count = async (text: string) => Number((await database.query<{ n: string }>(`select count(*) as n from ${text}`)).rows[0]?.n)
const countStartedJobs = async () => count('job_lease where last_started_at is not null')
let load: Load | undefined

async function runTrial(server: Server, way: StopMethod): Promise<number> {
  writeFileSync(exitLog, '')
  await database.query('update job_lease set last_started_at = null')
  const [command, ...args] = way.npm
    ? ['npm', ...(server === 'start' ? ['start'] : ['run', '--silent', server])]
    : [process.execPath, entryFile(SERVERS[server])]
  const sandbox = server === 'start' ? { SANDBOX_PORT: String(instance.port + 1) } : {}
  const child = spawn(command ?? '', args, { cwd: root, env: { ...env, ...sandbox }, detached: true, stdio: 'ignore' })
  const pid = child.pid ?? 0
  if (server === 'worker') while ((await countStartedJobs()) < 3) await pause(50)
  else {
    await waitUntilReady(instance.port)
    load ??= await startLoad(`http://127.0.0.1:${instance.port}`, instance.postgres.url, [])
    await pause(400)
  }
  const began = performance.now()
  for (let signal = 0; signal < way.signals; signal += 1) {
    try {
      process.kill(way.group ? -pid : pid, 'SIGTERM')
    } catch {
      // The process has ended already.
    }
    if (signal + 1 < way.signals) await pause(30)
  }
  const code = await waitForExitCode(server, pid)
  if (code !== 0) load?.fail(`${server}, ${way.name}: ${code === undefined ? 'did not exit' : `exited with ${code}`}`)
  return performance.now() - began
}

for (const server of Object.keys(SERVERS) as Server[]) {
  const slowest = new Map<string, number>()
  for (let attempt = 0; attempt < Number(values.attempts); attempt += 1) {
    const way = STOP_METHODS[attempt % STOP_METHODS.length] as StopMethod
    slowest.set(way.name, Math.max(slowest.get(way.name) ?? 0, await runTrial(server, way)))
  }
  console.log(`${server}: ${values.attempts} times`)
  for (const [name, took] of slowest) {
    console.log(`  ${name}: ${Math.round(took)} ms at most`)
    if (took > LIMIT) load?.fail(`${server}, ${name}: took longer than ${LIMIT} ms`)
  }
}
const lost = (await load?.stop()) ?? 0
if (load === undefined) throw new Error('no server was started')
// Ignores connection errors between two processes, because without socket activation no server listens at that time.
for (const why of load.results.failed.keys()) if (/^fetch failed|^terminated|^other side/.test(why)) load.results.failed.delete(why)
const held = await count('job_lease where held_until is not null')
if (held > 0) load.fail(`${held} leases are held`)
for (const [name, ...args] of [['worker', '--once'], ['ledger-audit']])
  execFileSync(process.execPath, [entryFile(name ?? ''), ...args], { env: instance.env, stdio: 'ignore' })
await database.end()
await instance.close()
process.exit(report(`${STOP_METHODS.length} ways to stop`, load, lost) ? 0 : 1)
