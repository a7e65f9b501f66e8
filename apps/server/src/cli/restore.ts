/**
 * `npm run restore -- FILE`: restores a backup into an empty database, as its owner. On the embedded database it replaces the contents,
 * also while the product runs. `--identity KEYFILE` names the private key of an encrypted backup. Checks schema and key before it writes,
 * migrates an older backup, and checks every balance. Ends all sessions and links of the backup and freezes payouts (`secureRestored`).
 * Exits with 0 only when all of it holds, with 2 when the key is missing; the embedded database is otherwise left unchanged.
 */
import { createWriteStream, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { markRestored } from '../gateways/chain/index.ts'
import { runJob } from '../jobs/job.ts'
import { formatAudit } from '../ledger/index.ts'
import { accessJournalJob, journalName, setJournalAside } from '../modules/audit/index.ts'
import { type Database, inTransaction, openDatabase } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { requestBackup } from '../platform/embedded/embedded-backup.ts'
import { printable } from '../platform/config/printable.ts'
import { auditPlatform } from '../main/all-checks.ts'
import { BackupError, examineBackup } from './backup/examine-backup.ts'
import { openBackupFile } from './backup/encrypted-file.ts'
import { type BackupFile, clientFor, assertDirectConnection, runTool } from './backup/postgres-tool.ts'
import { secureRestored } from './backup/secure-restored.ts'
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { readConfigOrExit } from '../main/read-config.ts'
import { openConfigured } from '../main/open-database.ts'
import { undecryptableRows } from '../diagnostics/data-key.ts'
import { checkSchema, noAnswer } from '../platform/db/wait-for-schema.ts'
import { errorText } from '../platform/runtime/error-text.ts'

const {
  positionals: [file = ''],
  values: { identity },
} = commandLine('restore')
const config = readConfigOrExit()

/**
 * Checks a restored database, brings it to this version's schema, ends its access and prints the result.
 * @returns the exit code of the command
 */
async function examine(database: Database): Promise<number> {
  const lack = await checkSchema(database)
  if (lack !== undefined) console.log(`The backup is from another version. ${lack.why}`)
  const closed = await undecryptableRows(config, database.db)
  if (closed !== undefined) {
    console.error(closed)
    return 2
  }
  if (lack !== undefined && lack.state !== 'behind') return 1
  // Before the first write: older tables may lack a column or value that ending the access needs.
  if (lack !== undefined) for (const name of await migrate(database.pool)) console.log(`Ran ${name}`)
  const deps = createDeps(config)
  const { report, isJournalRejected } = await inTransaction(database.db, (tx) => secureRestored(tx, deps))
  const results = await auditPlatform(database.db, config)
  await markRestored(database.db)
  const broken = results.some((result) => result.broken > 0)
  console.log(
    printable(broken ? formatAudit(results) : `Restored; all ${results.length} checks hold, and DATA_KEY decrypts the stored secrets.`),
  )
  console.log(report.map(printable).join('\n'))
  // A broken embedded database is replaced by the previous one, whose journal it is.
  if (isJournalRejected && (!broken || config.databaseUrl !== undefined))
    setJournalAside(config, await journalName(database.db), deps.clock.now())
  return broken ? 1 : 0
}

async function restore(from: BackupFile, databaseUrl: string): Promise<number> {
  const database = openDatabase({ url: databaseUrl }, { max: 2, limits: false })
  try {
    const { rows } = await sql<{ tables: number }>`select count(*)::int as tables from pg_tables where schemaname = 'public'`
      .execute(database.db)
      .catch((error: unknown) => Promise.reject(new Error(noAnswer(error))))
    if (rows[0]?.tables !== 0) throw new Error('The database is not empty. Restore the backup into a new database.')
    await examineBackup(config, from)
    await assertDirectConnection('pg_restore', databaseUrl)
    const name = clientFor(databaseUrl).database ?? ''
    const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', `--dbname=${name}`]
    await runTool('pg_restore', databaseUrl, args, from)
    return await examine(database)
  } finally {
    await database.close()
  }
}

/** Writes the newest lines of the current database into the access journal, before the backup replaces them. */
async function saveJournal({ db }: Database): Promise<void> {
  await runJob(db, createDeps(config), accessJournalJob, 'restore').catch((error: unknown) => {
    console.log(`The access journal has no newer lines of the current database: ${errorText(error)}`)
  })
}

/** Replaces the embedded database. An encrypted backup is first decrypted into its folder, where the database is plain too. */
async function takeEmbedded({ file: encrypted, open }: BackupFile): Promise<void> {
  if (open === undefined) return requestBackup(config.dataDir, { action: 'take', file: encrypted })
  const plain = path.join(config.dataDir, 'restore.part')
  try {
    await pipeline(await open(), createWriteStream(plain, { mode: 0o600 }))
    await requestBackup(config.dataDir, { action: 'take', file: plain })
  } finally {
    rmSync(plain, { force: true })
  }
}

async function restoreEmbedded(from: BackupFile): Promise<number> {
  const owner = await openConfigured(config)
  try {
    await saveJournal(owner)
    await takeEmbedded(from)
    const restored = openDatabase({ socketDir: config.dataDir }, { max: 1 })
    let code = 1
    try {
      code = await examine(restored)
    } finally {
      await restored.close()
      if (code !== 0) await requestBackup(config.dataDir, { action: 'rollBack' })
    }
    if (code === 0) console.log(`The previous database is in ${path.join(config.dataDir, 'database.before')}.`)
    return code
  } finally {
    await owner.close()
  }
}

const from = path.resolve(file)
try {
  const source = await openBackupFile(from, identity)
  process.exitCode = config.databaseUrl === undefined ? await restoreEmbedded(source) : await restore(source, config.databaseUrl)
} catch (error) {
  console.error(errorText(error))
  process.exitCode = error instanceof BackupError ? error.code : 1
}
