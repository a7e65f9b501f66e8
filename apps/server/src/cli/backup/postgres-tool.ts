import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Client } from 'pg'

/** TLS parameters of a database address, and the variables through which its tools read them. */
const TLS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }

/** Thrown if a PostgreSQL tool fails or is missing. */
class ToolFailed extends Error {}

/** Parses a database address as the product's own connections do. */
export const addressOf = (databaseUrl: string) => new Client({ connectionString: databaseUrl })

/**
 * Runs a PostgreSQL tool against a database. The password travels in the environment, because every user can read arguments.
 * @throws ToolFailed
 */
export async function runTool(tool: Tool, databaseUrl: string, args: readonly string[]): Promise<void> {
  const parameters = new URLSearchParams(databaseUrl.split('?')[1])
  const tls = Object.entries(TLS).flatMap(([parameter, name]) => (parameters.has(parameter) ? [[name, parameters.get(parameter)]] : []))
  const { host, port, user, password, database } = addressOf(databaseUrl)
  const own = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? '', PGDATABASE: database }
  const env = { ...process.env, ...own, ...Object.fromEntries(tls) }
  await endOf(tool, spawn(tool, args, { env, stdio: ['ignore', 'inherit', 'pipe'] }))
}

type Tool = 'pg_dump' | 'pg_restore'

/**
 * Rejects an address that leads to a pooler. The tools empty their session's search path, and a pooler would hand that
 * session to API and worker. A pooler is recognised by its process id, which is none of the server's.
 * @throws ToolFailed for a pooler
 */
export async function refusePooler(tool: Tool, databaseUrl: string): Promise<void> {
  const client = addressOf(databaseUrl)
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

async function endOf(tool: Tool, child: ChildProcess): Promise<void> {
  let fault = ''
  child.stderr?.on('data', (text) => (fault += String(text)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new ToolFailed(`${tool} is not installed: run apt-get install postgresql-client`)))
    child.once('close', resolve)
  })
  if (code !== 0) throw new ToolFailed(`${tool}: ${fault.trim().split('\n').slice(0, 3).join(' ')}`)
}

/** A row of a backup. Nulls are omitted, and bytes are `\\x` with hex digits. */
type BackedUpRow = Readonly<Record<string, string>>

/** Passes a backup's rows in some tables to a callback, before a database holds any. */
export async function readBackup(file: string, tables: readonly string[], see: (table: string, row: BackedUpRow) => void): Promise<void> {
  const args = ['--data-only', '--file=-', ...tables.map((table) => `--table=${table}`), file]
  const child = spawn('pg_restore', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = endOf('pg_restore', child)
  let [table, columns] = ['', [] as string[]]
  const read = async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, name, list] = /^COPY public\.(\w+) \((.*)\) FROM stdin;$/.exec(line) ?? []
      if (name !== undefined) [table, columns] = [name, (list ?? '').split(', ')]
      else if (line === '\\.') table = ''
      else if (table !== '') see(table, rowOf(columns, line))
    }
  }
  await Promise.all([ended, read()])
}

/** Parses a line of PostgreSQL's text format. The columns read here only use the backslash escape. */
const rowOf = (columns: readonly string[], line: string): BackedUpRow =>
  Object.fromEntries(
    line.split('\t').flatMap((value, index) => (value === '\\N' ? [] : [[columns[index] ?? '', value.replaceAll('\\\\', '\\')]])),
  )
