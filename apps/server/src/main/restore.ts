/**
 * `npm run restore -- FILE`: reads a backup into an empty database, as its owner, and makes sure of it: schema, the key that
 * opens what is sealed, every balance. Ends with 0 only when all of it holds.
 */
import path from 'node:path'
import { sql } from 'kysely'
import { formatAudit, runAudit } from '../ledger/index.ts'
import { openDatabase } from '../platform/database.ts'
import { printable } from '../platform/printable.ts'
import { typed } from '../platform/release.ts'
import { allChecks } from './all-checks.ts'
import { runTool } from './backup/postgres-tool.ts'
import { readConfigOrExit } from './deps.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { look } from './wait-for-schema.ts'

const [file] = process.argv.slice(2)
const config = readConfigOrExit()

async function restore(from: string, databaseUrl: string): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl }, { max: 2, limits: false })
  try {
    const { rows } = await sql<{ tables: number }>`select count(*)::int as tables from pg_tables where schemaname = 'public'`.execute(
      database.db,
    )
    if (rows[0]?.tables !== 0) throw new Error('The database is not empty: a backup goes into a new one.')
    await runTool('pg_restore', databaseUrl, [
      '--exit-on-error',
      '--single-transaction',
      '--no-owner',
      '--no-privileges',
      `--dbname=${new URL(databaseUrl).pathname.slice(1)}`,
      from,
    ])
    const lack = await look(database)
    if (lack !== undefined) console.log(`The backup is of another version. ${lack.why}`)
    await refuseForeignSeals(config, database)
    if (lack !== undefined) return lack.mends
    const results = await runAudit(database.db, allChecks)
    const broken = results.filter((result) => result.broken > 0)
    console.log(
      printable(
        broken.length === 0 ? `Restored; all ${results.length} checks hold, and DATA_KEY opens what is sealed.` : formatAudit(results),
      ),
    )
    return broken.length === 0
  } finally {
    await database.close()
  }
}

try {
  if (file === undefined || config.databaseUrl === undefined) throw new Error(`Usage: DATABASE_URL=… ${typed('restore FILE')}`)
  if (!(await restore(path.resolve(file), config.databaseUrl))) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
