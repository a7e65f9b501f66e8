import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { account, answers, freePort } from './postgres.ts'

/** PgBouncer in transaction mode in front of a database. */
export interface Pooler {
  /** Database URL through the pooler. */
  url: string
  stop(): Promise<void>
}

const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']

/**
 * Starts a pooler with default settings in front of a database.
 * @param more further configuration lines
 * @returns undefined if PgBouncer is not installed
 */
export async function startPooler(databaseUrl: string, more = ''): Promise<Pooler | undefined> {
  const program = FOLDERS.map((folder) => path.join(folder, 'pgbouncer')).find((file) => existsSync(file))
  if (program === undefined) return undefined
  const as = account()
  const folder = mkdtempSync(path.join(tmpdir(), 'pooler-'))
  const target = new URL(databaseUrl)
  const port = await freePort()
  const settings = path.join(folder, 'pooler.ini')
  const users = path.join(folder, 'users.txt')
  writeFileSync(users, `"${target.username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
${more}`,
  )
  if (as !== undefined) for (const entry of [folder, settings, users]) chownSync(entry, as.uid, as.gid)
  const child: ChildProcess = spawn(program, ['-q', settings], { ...as, cwd: folder, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = new URL(databaseUrl)
  url.port = String(port)
  await answers(url.href)
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
