import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answers, findPostgres, freePort } from './postgres.ts'

/**
 * `unshare` arguments that mount a folder as a small disk, in megabytes. Needs no privileges: only this process tree sees the disk. The
 * command is not root, because PostgreSQL refuses to run as root.
 */
const where = (folder: string, megabytes: number, command: readonly string[]) => [
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m,mode=777 none "$0" && exec unshare --user --map-user=1000 --map-group=1000 "$@"`,
  folder,
  ...command,
]

function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'))
  chmodSync(folder, 0o755)
  return folder
}

/** True if this machine allows private mounts; some containers do not. */
export const hasSmallDisks = spawnSync('unshare', where(tmpdir(), 1, ['true'])).status === 0

/** Runs a shell script with FOLDER as a small disk; returns exit code and output. */
export function runOnSmallDisk(megabytes: number, script: string, env: NodeJS.ProcessEnv): { code: number | null; output: string } {
  const folder = emptyFolder()
  const options = { env: { ...env, FOLDER: folder }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync('unshare', where(folder, megabytes, ['sh', '-c', script]), options)
  rmSync(folder, { recursive: true })
  return { code: status, output: stdout + stderr }
}

/** PostgreSQL with its data on a small disk. It restarts after a crash, as its operator would do. */
export interface CrampedServer {
  url: string
  /** Fills the disk completely. */
  fill(): void
  /** Frees the space taken by {@link fill}. */
  makeRoom(): void
  /** Crash count. */
  ends(): number
  close(): Promise<void>
}

/** Small WAL segments, so that the log grows with few transactions, and no checkpoint until a restart, which would free old segments. */
const SERVER = `"$1/initdb" -D "$0/data" -U postgres -A trust -E UTF8 --locale=C --wal-segsize=1 > /dev/null || exit 1
while :; do
  "$1/postgres" -D "$0/data" -c port=$2 -c unix_socket_directories="$0" -c min_wal_size=2MB -c max_wal_size=1GB -c checkpoint_timeout=1h -c shared_buffers=32MB
  echo "ended $?"
  sleep 0.3
done`

export async function startCramped(megabytes: number): Promise<CrampedServer> {
  const [folder, port] = [emptyFolder(), await freePort()]
  const command = ['sh', '-c', SERVER, folder, findPostgres(), String(port)]
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const child = spawn('unshare', where(folder, megabytes, command), { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  let ends = 0
  child.stdout.on('data', (text) => (ends += String(text).split('ended').length - 1))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await answers(url)
  const ballast = path.join(`/proc/${child.pid}/root`, folder, 'ballast')
  return {
    url,
    fill: () => fillUp(ballast),
    makeRoom: () => rmSync(ballast),
    ends: () => ends,
    close: async () => {
      const closed = once(child, 'close')
      // Backends lead their own sessions, and exit with the server's first process.
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function fillUp(ballast: string): void {
  const file = openSync(ballast, 'a')
  for (const size of [1 << 20, 1 << 12, 1]) {
    try {
      while (writeSync(file, Buffer.alloc(size, 1)) > 0);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
  closeSync(file)
}
