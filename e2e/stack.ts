import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { Client } from 'pg'
import PostalMime, { type Email } from 'postal-mime'
import { claimPort } from '../test/ports.ts'
import { type PostgresServer, startPostgres } from '../test/postgres.ts'
import { startRoundRobin } from './round-robin.ts'
import { WAIT_MS } from './wait-limit.ts'
import { entryFile } from '../apps/server/src/cli/command-line.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Stack {
  /** Public URL. */
  url: string
  dataDir: string
  databaseUrl: string | undefined
  /**
   * Moves the clocks of all processes ahead of the real time, and waits until each API process follows. Requests of browsers wait
   * meanwhile: a token that a process issued by the old clock would already be expired by the clock of another process.
   */
  setClock(seconds: number): Promise<void>
  /** Returns emails with one subject to an address, oldest first; others may arrive in between. */
  mailsTo(address: string, subject: RegExp): Promise<Email[]>
  /** Waits for more than `before` matching emails and returns the newest. */
  mailed(address: string, subject: RegExp, before?: number): Promise<string>
  /** Runs a product command, such as `ledger-audit`, to completion. `input` is typed into it; its session file is in the data folder. */
  command(name: string, args?: string[], input?: string): { status: number | null; output: string }
  /**
   * Closes all browser pages, runs `ledger-audit`, and stops the product. An open page would keep polling a port that another process may
   * reuse.
   * @throws if a check of the audit does not hold after the tests, with its table
   */
  stop(browser: Browser | undefined): Promise<void>
}

/**
 * Starts the product: one process on the embedded database, or two API processes, a worker and the sandbox provider on PostgreSQL. Seeds
 * the demo accounts.
 * @param data `fresh` seeds a new embedded database; else copies a seeded one
 * @param settings further environment, such as `ALLOWED_ORIGINS`; `PORT` if the URL must be known beforehand
 */
export async function startStack(
  engine: 'embedded' | 'postgres',
  data: 'fresh' | 'seeded' = 'seeded',
  settings: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stack-'))
  const seeded = process.env['SEEDED_DATABASE']
  if (engine === 'embedded' && data === 'seeded' && seeded !== undefined) cpSync(seeded, dataDir, { recursive: true })
  const port = settings['PORT'] === undefined ? await claimPort() : Number(settings['PORT'])
  const url = `http://127.0.0.1:${port}`
  const base = {
    ...process.env,
    NODE_ENV: 'development',
    DATA_DIR: dataDir,
    PUBLIC_URL: url,
    RATE_LIMIT_SCALE: '1000',
    LOG_LEVEL: 'error',
    ...settings,
  }
  const parts = engine === 'embedded' ? await startAllInOne(base, port) : await startParts(base, port)
  await answersReady(url)
  return {
    url,
    dataDir,
    databaseUrl: parts.env['DATABASE_URL'],
    setClock: (seconds) =>
      parts.holdDuring(async () => {
        const client = new Client(
          engine === 'embedded'
            ? { host: dataDir, user: 'postgres', database: 'postgres' }
            : { connectionString: parts.env['DATABASE_URL'] },
        )
        await client.connect()
        await client.query('update clock_offset set seconds = $1', [seconds])
        await client.end()
        await Promise.all(parts.apis.map((api) => followsClock(api, seconds)))
      }),
    mailsTo: (address, subject) => mailsTo(path.join(dataDir, 'outbox'), address, subject),
    mailed: (address, subject, before = 0) => mailed(path.join(dataDir, 'outbox'), address, subject, before),
    command: (name, args = [], input = '') => {
      const env = { ...parts.env, XDG_CONFIG_HOME: dataDir }
      const result = spawnSync(process.execPath, [entryFile(name), ...args], { cwd: root, env, encoding: 'utf8', input })
      return { status: result.status, output: `${result.stdout}${result.stderr}` }
    },
    stop: async (browser) => {
      await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
      const audit = await runCommand('ledger-audit', parts.env)
      await parts.stop()
      rmSync(dataDir, { recursive: true, force: true })
      if (audit.status !== 0) throw new Error(`ledger-audit after the tests ended with ${audit.status}:\n${audit.output}`)
    },
  }
}

interface Parts {
  /** URL of each API process. */
  apis: string[]
  env: NodeJS.ProcessEnv
  /** Runs work while new requests to several API processes wait. */
  holdDuring(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Runs a command to its end, at most `WAIT_MS`. This process keeps serving meanwhile, for instance as a proxy. */
function runCommand(name: string, env: NodeJS.ProcessEnv): Promise<{ status: number | string | null; output: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [entryFile(name)], { cwd: root, env, timeout: WAIT_MS }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.signal ?? null), output: `${stdout}${stderr}` }),
    ),
  )
}

/** Starts an entry point and kills it when this process exits, also after an interrupt. */
function start(name: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [entryFile(name)], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await ended
}

async function startAllInOne(base: NodeJS.ProcessEnv, port: number): Promise<Parts> {
  // By default the sandbox would use the next port, which another process may own.
  const env: NodeJS.ProcessEnv = { ...base, PORT: String(port), SANDBOX_PORT: String(await claimPort()) }
  delete env['DATABASE_URL']
  const child = start('serve', env)
  return { env, apis: [`http://127.0.0.1:${port}`], holdDuring: (work) => work(), stop: () => end(child) }
}

async function startParts(base: NodeJS.ProcessEnv, port: number): Promise<Parts> {
  const postgres: PostgresServer = await startPostgres({ fsync: 'off' })
  const [first, second, provider] = [await claimPort(), await claimPort(), await claimPort()]
  const env = { ...base, DATABASE_URL: postgres.url, PAYMENT_PROVIDER_URL: `http://127.0.0.1:${provider}` }
  for (const step of ['migrate', 'seed'])
    spawnSync(process.execPath, [entryFile(step)], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  // API and worker find the development chain by its state file in the folder.
  const sandbox = start('sandbox', { ...env, SANDBOX_PORT: String(provider) })
  await appears(path.join(base['DATA_DIR'] ?? '', 'sandbox/chain/running.json'))
  const children = [
    sandbox,
    start('api', { ...env, PORT: String(first) }),
    start('api', { ...env, PORT: String(second) }),
    start('worker', env),
  ]
  const apis = [first, second].map((apiPort) => `http://127.0.0.1:${apiPort}`)
  await Promise.all(apis.map(answersReady))
  const proxy = await startRoundRobin([first, second], port)
  return {
    env,
    apis,
    holdDuring: proxy.holdDuring,
    stop: async () => {
      proxy.close()
      await Promise.all(children.map(end))
      await postgres.stop()
    },
  }
}

async function appears(file: string): Promise<void> {
  for (let attempt = 0; attempt < WAIT_MS / 100 && !existsSync(file); attempt += 1) await new Promise((resolve) => setTimeout(resolve, 100))
}

async function answersReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1800; attempt += 1) {
    const ready = await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not become ready`)
}

/** Waits until an API process's clock is ahead by some seconds. Allows 10 seconds for the response, less than any two offsets differ. */
async function followsClock(url: string, seconds: number): Promise<void> {
  for (let attempt = 0; attempt < WAIT_MS / 100; attempt += 1) {
    const sheet = (await (await fetch(`${url}/sandbox/sheet`)).json()) as { now: string }
    if (Math.abs(Date.parse(sheet.now) - Date.now() - seconds * 1000) < 10_000) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} does not follow the clock by ${seconds} seconds`)
}

async function mailed(folder: string, address: string, subject: RegExp, before: number): Promise<string> {
  for (let attempt = 0; attempt < WAIT_MS / 100; attempt += 1) {
    const mails = await mailsTo(folder, address, subject)
    if (mails.length > before) return mails.at(-1)?.text ?? ''
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const came = (await mailsTo(folder, address, /./)).map((mail) => mail.subject)
  throw new Error(`no mail ${subject} to ${address} after ${before} such, but: ${came.join(', ')}`)
}

async function mailsTo(folder: string, address: string, subject: RegExp): Promise<Email[]> {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.eml'))
    .map((file) => path.join(folder, file.name))
    .toSorted()
  const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(file))))
  return mails.filter((mail) => subject.test(mail.subject ?? '') && (mail.to ?? []).some((to) => to.address === address))
}
