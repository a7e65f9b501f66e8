/**
 * `npm run drill:deploy`: unpacks a release twice as two versions and deploys one over the other, twenty times there and back,
 * under load: two API processes behind a proxy, ended one after the other with the units' signal, and a worker. Prints what
 * clients saw and ends with 0 only when nothing was lost: every acknowledged move stands in the ledger, no call failed, and
 * files of pages of either version were there at every moment. `-- --rounds 5` does fewer.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { freePort, startPostgres } from '../test/postgres.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const CLIENTS = 6
const folder = mkdtempSync(path.join(tmpdir(), 'drill-'))

/** Two versions side by side, each with a file that the other one lacks. */
function unpack(): string[] {
  execFileSync(process.execPath, ['scripts/release.mjs', '--out', folder], { cwd: root, stdio: 'ignore' })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? ''
  execFileSync('tar', ['-xzf', path.join(folder, archive), '-C', folder])
  const first = path.join(folder, archive.replace('.tar.gz', ''))
  const second = first.replace(/tizara-[\d.]+/, 'tizara-99.0.0')
  cpSync(first, second, { recursive: true, verbatimSymlinks: true })
  const about = path.join(second, 'package.json')
  writeFileSync(about, JSON.stringify({ ...(JSON.parse(readFileSync(about, 'utf8')) as object), version: '99.0.0' }))
  for (const [place, name] of [
    [first, 'only-first.js'],
    [second, 'only-second.js'],
  ] as const)
    writeFileSync(path.join(place, 'apps/web/dist/assets', name), 'export {}')
  return [first, second]
}

const start = (release: string, command: string, env: NodeJS.ProcessEnv) =>
  spawn(path.join(release, 'bin', 'tizara'), [command], { env, stdio: ['ignore', 'ignore', 'inherit'] })

async function ready(port: number): Promise<string> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.ok === true) return ((await answer.json()) as { version: string }).version
    await pause(50)
  }
  throw new Error('an API did not become ready')
}

/** As the examples of deploy/ do it: a process that does not listen is passed over; a call that has left is never sent again. */
function openProxy(ports: readonly number[]) {
  let turn = 0
  return createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    turn += 1
    const place = turn
    incoming.on('end', () => pass(0))
    const pass = (tried: number): void => {
      const to = {
        host: '127.0.0.1',
        port: ports[(place + tried) % ports.length],
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      }
      const onward = request({ ...to, agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      onward.on('error', (error: NodeJS.ErrnoException) => {
        const mayRepeat = error.code === 'ECONNREFUSED' || incoming.method === 'GET'
        if (mayRepeat && tried < ports.length && !outgoing.headersSent) pass(tried + 1)
        else outgoing.writeHead(502).end()
      })
      onward.end(Buffer.concat(chunks))
    }
  })
}

const seen = { moves: 0, refused: 0, reads: 0, pages: 0, failed: new Map<string, number>() }
const fail = (what: string) => seen.failed.set(what, (seen.failed.get(what) ?? 0) + 1)

interface Payer {
  email: string
  token: string
}

async function signIn(base: string, email: string): Promise<Payer> {
  const body = JSON.stringify({ email, password: 'Play-money-2026' })
  const answer = await fetch(`${base}/api/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { email, token: ((await answer.json()) as { data: { token: string } }).data.token }
}

/** One call of a client; a move that is refused for lack of money is an answer like any other. */
async function act(base: string, who: Payer, to: Payer): Promise<void> {
  const what = randomInt(3)
  try {
    if (what === 0) {
      const headers = { authorization: who.token, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ amount: 5, email: to.email })
      const { status } = await fetch(`${base}/api/v1/usd-transfer/user-to-user-deposit`, { method: 'POST', headers, body })
      if (status === 200) seen.moves += 1
      else if (status === 400) seen.refused += 1
      else fail(`move ${status}`)
    } else if (what === 1) {
      const { status } = await fetch(`${base}/api/v1/general-settings`, { headers: { authorization: who.token } })
      if (status === 200) seen.reads += 1
      else fail(`read ${status}`)
    } else {
      for (const place of ['/', '/assets/only-first.js', '/assets/only-second.js']) {
        const { status } = await fetch(`${base}${place}`)
        if (status === 200) seen.pages += 1
        else fail(`${place} ${status}`)
      }
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

async function end(child: ChildProcess, what: string): Promise<void> {
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) fail(`${what} ended with ${code}`)
}

const releases = unpack()
const postgres = await startPostgres()
const [one, two, publicPort] = [await freePort(), await freePort(), await freePort()]
const env = {
  PATH: process.env['PATH'],
  NODE_ENV: 'development',
  DATABASE_URL: postgres.url,
  DATA_DIR: path.join(folder, 'data'),
  PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
  RATE_LIMIT_SCALE: '10000',
  LOG_LEVEL: 'fatal',
}
const sandbox = { ...env, DATA_DIR: path.join(folder, 'seed') }
for (const step of ['migrate', 'seed'])
  execFileSync(process.execPath, [path.join(root, 'apps/server/src/main', `${step}.ts`)], { env: sandbox, stdio: 'ignore' })
const [first = '', second = ''] = releases
const apis = [one, two].map((port) => ({ port, child: start(first, 'api', { ...env, PORT: String(port) }) }))
let worker = start(first, 'worker', env)
await Promise.all(apis.map(({ port }) => ready(port)))
const proxy = openProxy([one, two]).listen(publicPort, '127.0.0.1')
const base = `http://127.0.0.1:${publicPort}`
const database = new Client({ connectionString: postgres.url })
await database.connect()
const countMoves = async () =>
  Number((await database.query("select count(*) as n from ledger_transfer where kind = 'userToUser'")).rows[0].n)
const people = await Promise.all(['amara', 'bruno', 'chiara'].map((name) => signIn(base, `${name}@example.com`)))
const before = await countMoves()
let over = false
const load = Array.from({ length: CLIENTS }, async (_, n) => {
  while (!over) await act(base, people[n % 3] as Payer, people[(n + 1) % 3] as Payer)
})
for (let round = 1; round <= Number(values.rounds); round += 1) {
  const release = round % 2 === 1 ? second : first
  await end(worker, 'worker')
  worker = start(release, 'worker', env)
  for (const api of apis) {
    await end(api.child, 'api')
    api.child = start(release, 'api', { ...env, PORT: String(api.port) })
    const version = await ready(api.port)
    if (!release.includes(`tizara-${version}-`)) fail(`ready as ${version}`)
  }
}
over = true
await Promise.all(load)
const lost = seen.moves - ((await countMoves()) - before)
proxy.close()
await Promise.all([...apis.map(({ child }) => end(child, 'api')), end(worker, 'worker')])
await database.end()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
console.log(
  `${values.rounds} deployments: ${seen.moves} moves (${seen.refused} refused for money), ${seen.reads} reads, ${seen.pages} pages and files`,
)
console.log(`lost: ${lost}, failed: ${[...seen.failed.values()].reduce((sum, n) => sum + n, 0)}`)
for (const [what, count] of seen.failed) console.log(`  ${count} × ${what}`)
process.exitCode = lost === 0 && seen.failed.size === 0 ? 0 : 1
