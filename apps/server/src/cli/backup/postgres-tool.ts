import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Client } from 'pg'

/** TLS parameters of a connection string, and the environment variables through which the tools read them. */
const TLS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }

/** Thrown if a PostgreSQL tool fails or is missing. */
class ToolFailed extends Error {}

/** Creates an unconnected client. It parses a connection string like the product's own connections. */
export const clientFor = (databaseUrl: string) => new Client({ connectionString: databaseUrl })

/**
 * Runs a PostgreSQL tool against a database. The password travels in the environment, because every user can read arguments.
 * @throws ToolFailed
 */
export async function runTool(tool: Tool, databaseUrl: string, args: readonly string[]): Promise<void> {
  const parameters = new URLSearchParams(databaseUrl.split('?')[1])
  const tls = Object.entries(TLS).flatMap(([parameter, name]) => (parameters.has(parameter) ? [[name, parameters.get(parameter)]] : []))
  const { host, port, user, password, database } = clientFor(databaseUrl)
  const own = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? '', PGDATABASE: database }
  const env = { ...process.env, ...own, ...Object.fromEntries(tls) }
  await waitForExit(tool, spawn(tool, args, { env, stdio: ['ignore', 'inherit', 'pipe'] }))
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
export async function readBackup(file: string, tables: readonly string[], onRow: (table: string, row: BackedUpRow) => void): Promise<void> {
  const args = ['--data-only', '--file=-', ...tables.map((table) => `--table=${table}`), file]
  const child = spawn('pg_restore', args, { stdio: ['ignore', 'pipe', 'pipe'] })
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
  await Promise.all([exited, read()])
}

/** Parses a line of PostgreSQL's text format. The columns read here only use the backslash escape. */
const rowOf = (columns: readonly string[], line: string): BackedUpRow =>
  Object.fromEntries(
    line.split('\t').flatMap((value, index) => (value === '\\N' ? [] : [[columns[index] ?? '', value.replaceAll('\\\\', '\\')]])),
  )
