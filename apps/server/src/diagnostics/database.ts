import { sql } from 'kysely'
import { type Db, sqlState } from '../platform/db/database.ts'
import { findingsFor, type Finding } from './finding.ts'

const { good, warning, bad } = findingsFor('database')

/** Oldest supported PostgreSQL version. */
const OLDEST = 15
/** Maximum difference between the machine's and the database's clock, in seconds. */
const CLOCKS = 5

interface Server {
  version: number
  fsync: string
  pages: string
  commit: string
  encoding: string
  free: number
  makes: boolean
  plain: boolean
  reads_only: boolean
  clock: Date
}

/** The transaction is rolled back. A full disk or a missing privilege shows up here. */
async function tryToWrite(db: Db): Promise<void> {
  const rollback = new Error('rolled back')
  const attempt = db.transaction().execute(async (tx) => {
    await sql`insert into rate_limit (key, window_start, hits) values ('doctor', now(), 1) on conflict (key) do update set hits = 1`.execute(
      tx,
    )
    throw rollback
  })
  await attempt.catch((error: unknown) => {
    // Other checks report a missing schema, and a read-only database below.
    if (error !== rollback && !['42P01', '25006'].includes(sqlState(error) ?? '')) throw error
  })
}

/** Checks the database: the right one, writable, and a role without excess privileges. */
export async function databaseFindings(
  db: Db,
  { embedded, sandboxWallet }: { embedded: boolean; sandboxWallet: boolean },
): Promise<Finding[]> {
  const before = Date.now()
  const { rows } = await sql<Server>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as reads_only, clock_timestamp() as clock,
      current_setting('max_connections')::int - (select count(*)::int from pg_stat_activity) as free,
      has_schema_privilege('public', 'CREATE') as makes, lower('I') = 'i' and upper('i') = 'I' as plain`.execute(db)
  await tryToWrite(db)
  const server = rows[0]
  if (server === undefined) return [bad('returned no answer', 'check PostgreSQL')]
  const findings: Finding[] = []
  if (server.version < OLDEST) findings.push(bad(`PostgreSQL ${server.version}`, `upgrade to ${OLDEST} or newer`))
  if (server.reads_only) findings.push(bad('is a read-only replica', 'set DATABASE_URL to the primary'))
  for (const [name, value] of [
    ['fsync', server.fsync],
    ['full_page_writes', server.pages],
    ['synchronous_commit', server.commit],
  ] as const)
    if (value === 'off' && !(embedded && name === 'fsync'))
      findings.push(bad(`${name} is off: committed transactions can be lost`, `alter system set ${name} = on; select pg_reload_conf();`))
  if (server.encoding !== 'UTF8') findings.push(bad(`encoding ${server.encoding}`, "create the database with encoding 'UTF8'"))
  if (!server.plain)
    findings.push(
      bad(
        'its locale does not lowercase I to i (as in Turkish), which corrupts asset names',
        "restore a backup into a database with locale 'C' (deploy/postgresql.sql)",
      ),
    )
  if (server.free < 10) findings.push(warning(`only ${server.free} connections are free`, 'raise max_connections or lower DATABASE_POOL'))
  const apart = Math.abs(server.clock.getTime() - (before + Date.now()) / 2) / 1000
  if (apart > CLOCKS)
    findings.push(
      bad(`its clock differs from this machine by ${apart.toFixed(0)} seconds`, 'run `timedatectl set-ntp true` on both machines'),
    )
  if (server.makes && !embedded)
    findings.push(warning('this role may change the schema', 'run API and worker as a role without that privilege (deploy/postgresql.sql)'))
  if (embedded) return [...findings, embeddedFinding(sandboxWallet)]
  return findings.length > 0 ? findings : [good(`PostgreSQL ${server.version}, with durable commits`)]
}

/** Reports that the embedded database writes without fsync. No setting changes this. */
function embeddedFinding(sandboxWallet: boolean): Finding {
  const what = 'embedded database: commits survive a crash of the process, but not a power cut'
  return sandboxWallet
    ? good(`${what}; sufficient for the sandbox`)
    : bad(`${what}; money can be lost`, 'set DATABASE_URL to a PostgreSQL server (docs/operations.md)')
}
