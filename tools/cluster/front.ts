import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { account, answers } from '../../test/postgres.ts'
import type { DatabaseMachines } from './database-machines.ts'
import type { Programs } from './programs.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))

/** HAProxy and PgBouncer in front of the product's processes and the database machines. */
export interface Front {
  /** Address of the product for members. */
  membersUrl: string
  /** Database URLs through the pooler, with the application role: for waitForPrimary, and for reads. */
  databaseUrl: string
  readUrl: string
  /** Direct URLs of the primary, for the schema owner and the administrator. */
  ownerUrl: string
  adminUrl: string
}

/** Ports from the files in deploy/cluster. */
const PORTS = { write: 5000, read: 5001, members: 3000, pooler: 6432 } as const
/** Ports for the two API processes. */
export const API_PORTS = [3001, 3002] as const

/** Starts HAProxy and PgBouncer with the files in deploy/cluster. Only addresses and paths are replaced. */
export async function openFront(folder: string, programs: Programs, database: DatabaseMachines, passwords: Passwords): Promise<Front> {
  const { front } = database
  const directory = path.join(folder, 'front')
  mkdirSync(directory)
  const as = account()
  const proxyFile = path.join(directory, 'haproxy.cfg')
  const proxy = readFileSync(path.join(DEPLOY, 'cluster/haproxy.cfg'), 'utf8').replaceAll('127.0.0.1', front)
  // Only root can switch the user.
  writeFileSync(proxyFile, as === undefined ? proxy.replaceAll(/^ +(user|group) haproxy\n/gm, '') : proxy)
  const poolerFile = path.join(directory, 'pgbouncer.ini')
  writeFileSync(
    poolerFile,
    readFileSync(path.join(DEPLOY, 'cluster/pgbouncer.ini'), 'utf8')
      .replaceAll('127.0.0.1', front)
      .replace('/etc/pgbouncer/userlist.txt', path.join(directory, 'userlist.txt')),
  )
  writeFileSync(path.join(directory, 'userlist.txt'), `"tizara_app" "${passwords.app}"\n`)
  chmodSync(path.join(directory, 'userlist.txt'), 0o600)
  if (as !== undefined) for (const name of ['.', 'pgbouncer.ini', 'userlist.txt']) chownSync(path.join(directory, name), as.uid, as.gid)
  const env = {
    ...Object.fromEntries(database.machines.map(({ address }, index) => [`PG${index + 1}`, address])),
    ...Object.fromEntries(API_PORTS.map((port, index) => [`API${index + 1}`, `${front}:${port}`])),
  }
  const start = (program: string, args: string[], more: object) => {
    const log = openSync(path.join(directory, `${path.basename(program)}.log`), 'a')
    spawn(program, args, { ...more, cwd: directory, stdio: ['ignore', log, log] })
  }
  start(programs.haproxy, ['-db', '-f', proxyFile], { env: { ...process.env, ...env } })
  const adminUrl = `postgres://postgres:${passwords.admin}@${front}:${PORTS.write}/postgres`
  await waitForPrimary(adminUrl)
  makeDatabase(programs, adminUrl, passwords)
  start(programs.pgbouncer, ['-q', poolerFile], { ...as })
  const through = (name: string) => `postgres://tizara_app:${passwords.app}@${front}:${PORTS.pooler}/${name}`
  await answers(through('tizara'))
  return {
    membersUrl: `http://${front}:${PORTS.members}`,
    databaseUrl: through('tizara'),
    readUrl: through('tizara_read'),
    ownerUrl: `postgres://tizara_owner:${passwords.owner}@${front}:${PORTS.write}/tizara`,
    adminUrl: adminUrl.replace(/postgres$/, 'tizara'),
  }
}

/** Waits until a port leads to the primary only, because HAProxy treats all machines as healthy before the first check. */
async function waitForPrimary(url: string): Promise<void> {
  for (let successes = 0; successes < 10; await pause(250)) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica')
      successes = rows[0]?.replica === false ? successes + 1 : 0
    } catch {
      successes = 0
    }
    await client.end().catch(() => undefined)
  }
}

export type Passwords = Record<'admin' | 'owner' | 'app', string>

/** Creates the roles and the database with deploy/postgresql.sql, as an operator does. */
function makeDatabase(programs: Programs, adminUrl: string, { owner, app }: Passwords): void {
  const variables = { owner_password: owner, app_password: app }
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`])
  execFileSync(programs.psql, ['-q', ...set, '-f', path.join(DEPLOY, 'postgresql.sql'), adminUrl], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
