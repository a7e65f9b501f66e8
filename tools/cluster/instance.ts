import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DatabaseMachines, openDatabaseMachines } from './database-machines.ts'
import { API_PORTS, type Front, openFront } from './front.ts'
import { findPrograms } from './programs.ts'
import { claimFolder } from './claim-folder.ts'
import { entryFile } from '../../apps/server/src/cli/command-line.mjs'

export interface Process {
  name: string
  /** Address of an API process; undefined for a worker. */
  url: string | undefined
  pid(): number | undefined
  start(): void
  /** Kills the process, like a power failure. */
  kill(): Promise<void>
  /** Stops the process with SIGTERM, as systemd does. */
  stop(): Promise<void>
}

/** Complete cluster: database machines, front, two API processes and two workers. */
export interface Cluster extends Front {
  close(): Promise<void>
  folder: string
  database: DatabaseMachines
  apis: Process[]
  workers: Process[]
  /** Runs a product command as the database owner, and returns its output. */
  run(name: string, args?: readonly string[]): string
}

function processOf(name: string, folder: string, env: NodeJS.ProcessEnv, url?: string): Process {
  let child: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    name,
    url,
    start() {
      const directory = path.join(folder, name)
      mkdirSync(directory, { recursive: true })
      const log = openSync(`${directory}.log`, 'a')
      const options = { cwd: directory, env: { ...env, DATA_DIR: directory }, stdio: ['ignore', log, log] as ['ignore', number, number] }
      child = spawn(process.execPath, [entryFile(name.replace(/\d$/, ''))], options)
    },
    pid: () => child?.pid,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Waits until an API process is ready. */
export async function waitUntilReady(url: string): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 60_000; await pause(100)) {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer?.ok === true) return
  }
  throw new Error(`${url} is not ready within a minute`)
}

/**
 * Starts a cluster with the schema in a temporary folder.
 * @param more settings of the product's processes
 * @throws Error with the missing packages
 */
export async function openCluster(more: NodeJS.ProcessEnv = {}): Promise<Cluster> {
  const programs = findPrograms()
  const { folder, removeCluster } = await claimFolder()
  const secret = () => randomBytes(12).toString('hex')
  const passwords = { admin: secret(), owner: secret(), app: secret() }
  const database = await openDatabaseMachines(folder, programs, {
    PATRONI_SUPERUSER_PASSWORD: passwords.admin,
    PATRONI_REPLICATION_PASSWORD: secret(),
    PATRONI_REWIND_PASSWORD: secret(),
  })
  const front = await openFront(folder, programs, database, passwords)
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    NODE_ENV: 'development',
    DATABASE_URL: front.databaseUrl,
    DATABASE_READ_URL: front.readUrl,
    PUBLIC_URL: front.membersUrl,
    HOST: database.front,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    ...more,
  }
  const run = (name: string, args: readonly string[] = []) =>
    execFileSync(process.execPath, [entryFile(name), ...args], {
      cwd: folder,
      env: { ...env, DATABASE_URL: front.ownerUrl, DATA_DIR: path.join(folder, 'commands') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  run('migrate')
  const apis = API_PORTS.map((port, index) =>
    processOf(`api${index + 1}`, folder, { ...env, PORT: String(port) }, `http://${database.front}:${port}`),
  )
  const workers = [1, 2].map((number) => processOf(`worker${number}`, folder, env))
  return {
    ...front,
    folder,
    database,
    apis,
    workers,
    run,
    close: async () => {
      await Promise.all([...apis, ...workers].map((one) => one.stop()))
      removeCluster()
    },
  }
}
