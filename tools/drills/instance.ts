import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type HeldSocket, holdSocket } from '../../test/held-socket.ts'
import { freePort, type PostgresServer, startPostgres } from '../../test/postgres.ts'
import type { Version } from './versions.ts'

/** Process of the platform. */
export interface ManagedProcess {
  child: ChildProcess
  /** Stops the process with SIGTERM, like systemd. Returns the exit code and the duration in ms. */
  stop(): Promise<{ code: number | null; took: number }>
}

function managedProcess(child: ChildProcess): ManagedProcess {
  return {
    child,
    stop: async () => {
      const began = performance.now()
      if (child.exitCode !== null) return { code: child.exitCode, took: 0 }
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return { code, took: performance.now() - began }
    },
  }
}

/** Waits until an API is ready, and returns its version. */
export async function waitUntilReady(port: number): Promise<string> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.ok === true) return ((await answer.json()) as { version: string }).version
    await pause(50)
  }
  throw new Error('an API did not become ready')
}

/** Simulated host: a database, the API's socket, and processes of any version. */
export interface Instance {
  folder: string
  postgres: PostgresServer
  env: NodeJS.ProcessEnv
  port: number
  socket: HeldSocket
  /** Runs a version's command on this or another database, and returns its output. */
  run(version: Version, args: readonly string[], databaseUrl?: string): Promise<{ code: number; output: string }>
  api(version: Version, output?: 'pipe'): ManagedProcess
  worker(version: Version): ManagedProcess
  close(): Promise<void>
}

/**
 * Opens an instance.
 * @param extraEnv settings of the processes
 * @param server settings of the database server
 */
export async function openInstance(extraEnv: NodeJS.ProcessEnv = {}, server: Record<string, string> = {}): Promise<Instance> {
  const folder = mkdtempSync(path.join(tmpdir(), 'drill-'))
  const postgres = await startPostgres(server)
  const port = await freePort()
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    NODE_ENV: 'development',
    DATABASE_URL: postgres.url,
    DATA_DIR: path.join(folder, 'data'),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_SCALE: '10000',
    LOG_LEVEL: 'fatal',
    ...extraEnv,
  }
  const socket = holdSocket(port)
  return {
    folder,
    postgres,
    env,
    port,
    socket,
    run: (version, args, databaseUrl = postgres.url) =>
      new Promise((resolve) => {
        // Merges both output streams, like a shell.
        const child = spawn(version.command, args, { env: { ...env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'pipe'] })
        let output = ''
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
        child.once('close', (code) => resolve({ code: code ?? 1, output }))
      }),
    api: (version, output) => managedProcess(socket.start([version.command, 'api'], { env, ...(output === undefined ? {} : { output }) })),
    worker: (version) => managedProcess(spawn(version.command, ['worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] })),
    close: async () => {
      socket.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
