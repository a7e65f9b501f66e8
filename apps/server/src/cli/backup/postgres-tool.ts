import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Client } from 'pg'

/** What an address of a database says about TLS, and where its tools look for that. */
const TLS = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' }

/** A tool of PostgreSQL ended badly, or is not there. */
class ToolFailed extends Error {}

/** What a database's address says, as the product's own connections read it. */
export const addressOf = (databaseUrl: string) => new Client({ connectionString: databaseUrl })

/**
 * Runs a tool of PostgreSQL against a database. The password travels in the environment: arguments can be seen by everybody
 * on the machine.
 * @throws ToolFailed
 */
export async function runTool(tool: Tool, databaseUrl: string, args: readonly string[]): Promise<void> {
  const said = new URLSearchParams(databaseUrl.split('?')[1])
  const tls = Object.entries(TLS).flatMap(([parameter, name]) => (said.has(parameter) ? [[name, said.get(parameter)]] : []))
  const { host, port, user, password, database } = addressOf(databaseUrl)
  const own = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? '', PGDATABASE: database }
  const env = { ...process.env, ...own, ...Object.fromEntries(tls) }
  await endOf(tool, spawn(tool, args, { env, stdio: ['ignore', 'inherit', 'pipe'] }))
}

type Tool = 'pg_dump' | 'pg_restore'

/**
 * The tools empty the search path of their session, and a pooler hands that session to API and worker, who find no table in it. A
 * pooler shows by the process that it says a line leads to: it is none of the server's.
 * @throws ToolFailed where a pooler is in between
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
    `DATABASE_URL leads through a pooler, where ${tool} leaves settings behind for others: name the database itself for this command (docs/cluster.md).`,
  )
}

async function endOf(tool: Tool, child: ChildProcess): Promise<void> {
  let fault = ''
  child.stderr?.on('data', (text) => (fault += String(text)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new ToolFailed(`${tool} is not there: apt-get install postgresql-client`)))
    child.once('close', resolve)
  })
  if (code !== 0) throw new ToolFailed(`${tool}: ${fault.trim().split('\n').slice(0, 3).join(' ')}`)
}

/** A row of a backup; a null is left out, and bytes stand as `\\x` and hex digits. */
type BackedUpRow = Readonly<Record<string, string>>

/** Lets somebody see each row that a backup holds of some tables, before any of it is in a database. */
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

/** A line of PostgreSQL's text format. Of its escapes only that of a backslash stands in what is looked at here. */
const rowOf = (columns: readonly string[], line: string): BackedUpRow =>
  Object.fromEntries(
    line.split('\t').flatMap((value, place) => (value === '\\N' ? [] : [[columns[place] ?? '', value.replaceAll('\\\\', '\\')]])),
  )
