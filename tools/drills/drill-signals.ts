/**
 * `npm run drill:signals`: stops api, worker and start thirty times each under load: with one or several TERM signals, to the
 * process or its group, with and without npm. Prints the slowest stop and ends with 0 only if every server exited with 0 within 10
 * seconds and nothing was lost: the ledger has all acknowledged moves, no lease is held, the worker finds due work, and the audit
 * passes. `-- --attempts 5` does fewer.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { readArguments, entryFile } from '../../apps/server/src/cli/command-line.mjs'
import { openMachine, ready } from './instance.ts'
import { type Load, report, startLoad } from './load.ts'
import { root } from './versions.ts'

const { values } = readArguments(import.meta.url, { attempts: { type: 'string', default: '30' } })
const LIMIT = 10_000

/** Way to start and stop a server. */
interface Way {
  name: string
  npm: boolean
  group: boolean
  signals: number
}
const WAYS: readonly Way[] = [
  { name: 'one TERM to the process', npm: false, group: false, signals: 1 },
  { name: 'three TERM to the process', npm: false, group: false, signals: 3 },
  { name: 'two TERM to its group', npm: false, group: true, signals: 2 },
  { name: 'one TERM to npm', npm: true, group: false, signals: 1 },
  { name: 'two TERM to the group of npm', npm: true, group: true, signals: 2 },
]
const SERVERS = { api: 'api', worker: 'worker', start: 'serve' } as const
type Server = keyof typeof SERVERS

const machine = await openMachine({ ACCESS_TOKEN_SECONDS: '3600' })
const notes = path.join(machine.folder, 'ends')
const hook = path.join(machine.folder, 'note-end.mjs')
writeFileSync(
  hook,
  `import { appendFileSync } from 'node:fs'\nprocess.on('exit', (code) => appendFileSync(${JSON.stringify(notes)}, process.argv[1] + ' ' + code + '\\n'))\n`,
)
const env = { ...process.env, ...machine.env, NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` }
for (const step of ['migrate', 'seed'])
  execFileSync(process.execPath, [entryFile(step)], {
    env: { ...machine.env, DATA_DIR: path.join(machine.folder, 'seed') },
    stdio: 'ignore',
  })

/** Returns the exit code of the server process, regardless of wrappers, or undefined if it was killed. */
async function endOf(server: Server, group: number): Promise<number | undefined> {
  const own = new RegExp(`/${SERVERS[server]}\\.ts (\\d+)$`, 'm')
  for (const began = performance.now(); performance.now() - began < LIMIT + 2_000; await pause(10)) {
    const code = own.exec(readFileSync(notes, 'utf8'))?.[1]
    if (code !== undefined) return Number(code)
  }
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group ended without a recorded exit code.
  }
  return undefined
}

const database = new Client({ connectionString: machine.postgres.url })
await database.connect()
const count = async (text: string) => Number((await database.query<{ n: string }>(`select count(*) as n from ${text}`)).rows[0]?.n)
const begun = async () => count('job_lease where last_started_at is not null')
let load: Load | undefined

async function once(server: Server, way: Way): Promise<number> {
  writeFileSync(notes, '')
  await database.query('update job_lease set last_started_at = null')
  const [command, ...args] = way.npm
    ? ['npm', ...(server === 'start' ? ['start'] : ['run', '--silent', server])]
    : [process.execPath, entryFile(SERVERS[server])]
  const sandbox = server === 'start' ? { SANDBOX_PORT: String(machine.port + 1) } : {}
  const child = spawn(command ?? '', args, { cwd: root, env: { ...env, ...sandbox }, detached: true, stdio: 'ignore' })
  const pid = child.pid ?? 0
  if (server === 'worker') while ((await begun()) < 3) await pause(50)
  else {
    await ready(machine.port)
    load ??= await startLoad(`http://127.0.0.1:${machine.port}`, machine.postgres.url, [])
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
  const code = await endOf(server, pid)
  if (code !== 0) load?.fail(`${server}, ${way.name}: ${code === undefined ? 'did not end' : `ended with ${code}`}`)
  return performance.now() - began
}

for (const server of Object.keys(SERVERS) as Server[]) {
  const slowest = new Map<string, number>()
  for (let attempt = 0; attempt < Number(values.attempts); attempt += 1) {
    const way = WAYS[attempt % WAYS.length] as Way
    slowest.set(way.name, Math.max(slowest.get(way.name) ?? 0, await once(server, way)))
  }
  console.log(`${server}: ${values.attempts} times`)
  for (const [name, took] of slowest) {
    console.log(`  ${name}: ${Math.round(took)} ms at most`)
    if (took > LIMIT) load?.fail(`${server}, ${name}: took longer than ${LIMIT} ms`)
  }
}
const lost = (await load?.stop()) ?? 0
if (load === undefined) throw new Error('nothing was tried')
// Without a held socket, connections are refused while no server listens. The product did not answer these.
for (const why of load.seen.failed.keys()) if (/^fetch failed|^terminated|^other side/.test(why)) load.seen.failed.delete(why)
const held = await count('job_lease where held_until is not null')
if (held > 0) load.fail(`${held} leases are held`)
for (const [name, ...args] of [['worker', '--once'], ['ledger-audit']])
  execFileSync(process.execPath, [entryFile(name ?? ''), ...args], { env: machine.env, stdio: 'ignore' })
await database.end()
await machine.close()
process.exit(report(`${WAYS.length} ways to end`, load, lost) ? 0 : 1)
