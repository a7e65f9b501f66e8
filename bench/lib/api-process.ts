import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { login } from '@tizara/contract/auth'
import { freePort } from '../../test/postgres.ts'
import { processorOf } from './processor.ts'
import type { ProbeAnswer, ProbeRequest } from './api-probe.ts'
import type { LoadOrder, LoadReport } from './load-generator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Data key of the benchmark's API. A benchmark encrypts the rows that it inserts with the same key. */
export const DATA_KEY = 'a-data-key-of-the-benchmark-only-here'

/** Separate API process in production mode. */
export interface ApiProcess {
  port: number
  /** Processor seconds used so far, or undefined if the system does not report them. */
  cpuSeconds(): number | undefined
  /** Current and peak memory in MB, or undefined if the system does not report it. */
  memory(): { now: number; peak: number } | undefined
  /** Sends a request to the probe (`api-probe.ts`), if the probe was loaded. */
  ask(request: ProbeRequest): Promise<ProbeAnswer>
  stop(): Promise<void>
}

/**
 * Starts `npm run api` on a prepared database, and waits until it is ready.
 * @param nodeArguments arguments for Node, such as `--cpu-prof`
 */
export async function startApi(databaseUrl: string, nodeArguments: string[] = []): Promise<ApiProcess> {
  const port = await freePort()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-api-'))
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    TOKEN_SECRET: 'a-token-secret-of-the-benchmark-only',
    DATA_KEY,
    PAYMENT_PROVIDER_SECRET: 'a-payment-secret-of-the-benchmark-only',
    PAYMENT_PROVIDER_KEY: 'a-payment-key-of-the-benchmark-only',
    PAYMENT_INVOICE_HOSTS: 'pay.bench.example',
    PAYMENT_PROVIDER_URL: 'http://127.0.0.1:9',
    // Uses addresses that refuse connections at once, because a DNS look-up would delay the doctor.
    PUBLIC_URL: 'https://127.0.0.1:9',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'house@bench.example',
    RATE_LIMIT_SCALE: '100000',
    LOG_LEVEL: 'error',
  }
  const entry = path.join(root, 'apps/server/src/main/api.ts')
  const child = spawn(process.execPath, [...nodeArguments, entry], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  try {
    await ready(port, child)
  } catch (error) {
    await ended(child, () => child.kill('SIGKILL'))
    throw error
  }
  return {
    port,
    cpuSeconds: () => processorOf(child.pid),
    memory: () => memory(child.pid),
    ask: (request) =>
      new Promise((resolve) => {
        child.once('message', (answer: ProbeAnswer) => resolve(answer))
        child.send(request)
      }),
    stop: async () => {
      await ended(child, () => child.kill('SIGTERM'))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Number of attempts, 100 ms apart, until the API must be ready: a minute, because a busy machine starts it slowly. */
const READY_ATTEMPTS = 600

async function ready(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the API ended with code ${child.exitCode}`)
    const answered = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the API did not become ready')
}

/** Reads the memory from Linux's process table, in which numbers are in kB. */
function memory(pid: number | undefined): { now: number; peak: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const of = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024)
    return { now: of('VmRSS'), peak: of('VmHWM') }
  } catch {
    return undefined
  }
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  end()
  await exit
}

/** Load generator in a separate process. */
export interface Load {
  run(order: LoadOrder): Promise<LoadReport>
  stop(): Promise<void>
}

/** Starts a load generator. */
export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        child.once('message', (message: { report?: LoadReport; error?: string }) => {
          if (message.report === undefined) reject(new Error(message.error ?? 'no report'))
          else resolve(message.report)
        })
        child.send(order)
      }),
    stop: () => ended(child, () => child.kill('SIGTERM')),
  }
}

/**
 * Signs members in over HTTP.
 * @returns their access tokens, in order
 */
export async function signIn(port: number, emails: readonly string[], password: string): Promise<string[]> {
  const tokens: string[] = []
  for (let start = 0; start < emails.length; start += SIGN_INS)
    tokens.push(...(await Promise.all(emails.slice(start, start + SIGN_INS).map((email) => signInOne(port, email, password)))))
  return tokens
}

/** Number of concurrent sign-ins. */
const SIGN_INS = 8

async function signInOne(port: number, email: string, password: string): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const answer = (await reply.json()) as { data?: { token?: string } }
  if (answer.data?.token === undefined) throw new Error(`no sign-in for ${email}: ${JSON.stringify(answer)}`)
  return answer.data.token
}

/**
 * Returns a percentile.
 * @param times values in any order
 * @param share from 0 to 1
 */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
