import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'

/** TLS parameters of a connection string, and the environment variables through which the tools read them. */
const TLS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }

/** Thrown if a PostgreSQL tool fails or is missing. */
class ToolFailed extends Error {}

/** Creates a client that is not connected. The connection string is parsed as in the product's own connections. */
export const clientFor = (databaseUrl: string) => new Client({ connectionString: databaseUrl })

/** A backup file. If it is encrypted, `open` returns its decrypted content, from the start. */
export interface BackupFile {
  file: string
  open?: () => Promise<Readable>
}

/**
 * Runs a PostgreSQL tool against a database. The password travels in the environment, because every user can read arguments.
 * @param source the backup that it reads, if any
 * @throws ToolFailed
 */
export async function runTool(tool: Tool, databaseUrl: string, args: readonly string[], source?: BackupFile): Promise<void> {
  const child = spawn(tool, argumentsFor(args, source), { env: environmentFor(databaseUrl), stdio: ['pipe', 'inherit', 'pipe'] })
  await Promise.all([waitForExit(tool, child), writeBackupTo(child, source)])
}

/**
 * Passes a dump of the database to `write`, and reads it as a restore would. The plain dump never reaches a disk.
 * @throws ToolFailed, and the errors of `write`
 */
export async function streamDump(databaseUrl: string, args: readonly string[], write: (dump: Readable) => Promise<void>): Promise<void> {
  const dump = spawn('pg_dump', args, { env: environmentFor(databaseUrl), stdio: ['ignore', 'pipe', 'pipe'] })
  const check = spawn('pg_restore', ['--file=/dev/null'], { stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = [waitForExit('pg_dump', dump), waitForExit('pg_restore', check)]
  // The check reports its own early end.
  check.stdin.on('error', () => undefined)
  dump.stdout.pipe(check.stdin)
  const written = write(dump.stdout.pipe(new PassThrough())).catch((error: unknown) => {
    dump.kill()
    check.kill()
    throw error
  })
  for (const result of await Promise.allSettled([written, ...ended])) if (result.status === 'rejected') throw result.reason
}

/** Adds the backup's file to the arguments. A tool without a file reads its input. */
const argumentsFor = (args: readonly string[], source: BackupFile | undefined): readonly string[] =>
  source === undefined || source.open !== undefined ? args : [...args, source.file]

/** Writes the content of an encrypted backup to the input of a tool, which may close the input early. */
async function writeBackupTo(child: ChildProcess, source: BackupFile | undefined): Promise<void> {
  const input = child.stdin
  if (input === null) return
  input.on('error', () => undefined)
  if (source?.open === undefined) {
    input.end()
    return
  }
  await pipeline(await source.open(), input).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return
    child.kill()
    throw error
  })
}

function environmentFor(databaseUrl: string): NodeJS.ProcessEnv {
  const parameters = new URLSearchParams(databaseUrl.split('?')[1])
  const tls = Object.entries(TLS).flatMap(([parameter, name]) => (parameters.has(parameter) ? [[name, parameters.get(parameter)]] : []))
  const { host, port, user, password, database } = clientFor(databaseUrl)
  const own = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? '', PGDATABASE: database }
  return { ...process.env, ...own, ...Object.fromEntries(tls) }
}

type Tool = 'pg_dump' | 'pg_restore'

/**
 * Rejects the connection string of a pooler. The tools empty their session's search path, and a pooler would hand that
 * session to API and worker. Behind a pooler, the process id of the connection differs from pg_backend_pid().
 * @throws ToolFailed for a pooler
 */
export async function assertDirectConnection(tool: Tool, databaseUrl: string): Promise<void> {
  const client = clientFor(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]?.pid === Reflect.get(client, 'processID')) return
  } finally {
    await client.end()
  }
  throw new ToolFailed(
    `DATABASE_URL points to a connection pooler, where ${tool} would change settings for other clients. Set it to the database for this command (docs/cluster.md).`,
  )
}

async function waitForExit(tool: Tool, child: ChildProcess): Promise<void> {
  let stderr = ''
  child.stderr?.on('data', (text) => (stderr += String(text)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new ToolFailed(`${tool} is not installed: run apt-get install postgresql-client`)))
    child.once('close', resolve)
  })
  if (code !== 0) throw new ToolFailed(`${tool}: ${stderr.trim().split('\n').slice(0, 3).join(' ')}`)
}

/** A row of a backup. Nulls are omitted, and bytes are `\\x` with hex digits. */
type BackedUpRow = Readonly<Record<string, string>>

/** Streams the rows of some tables from a backup file to a callback. No database is needed. */
export async function readBackup(
  source: BackupFile,
  tables: readonly string[],
  onRow: (table: string, row: BackedUpRow) => void,
): Promise<void> {
  const args = ['--data-only', '--file=-', ...tables.map((table) => `--table=${table}`)]
  const child = spawn('pg_restore', argumentsFor(args, source), { stdio: ['pipe', 'pipe', 'pipe'] })
  const exited = waitForExit('pg_restore', child)
  let [table, columns] = ['', [] as string[]]
  const read = async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, name, list] = /^COPY public\.(\w+) \((.*)\) FROM stdin;$/.exec(line) ?? []
      if (name !== undefined) [table, columns] = [name, (list ?? '').split(', ')]
      else if (line === '\\.') table = ''
      else if (table !== '') onRow(table, rowOf(columns, line))
    }
  }
  await Promise.all([exited, read(), writeBackupTo(child, source)])
}

/** Parses a line of PostgreSQL's text format. The columns read here only use the backslash escape. */
const rowOf = (columns: readonly string[], line: string): BackedUpRow =>
  Object.fromEntries(
    line.split('\t').flatMap((value, index) => (value === '\\N' ? [] : [[columns[index] ?? '', value.replaceAll('\\\\', '\\')]])),
  )
