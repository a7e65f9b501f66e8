import type { Config } from '../../platform/config/config.ts'
import { readSchema } from '../../platform/db/schema-files.ts'
import { type AppliedMigration, type AppliedBodies, SchemaError, schemaStateOf } from '../../platform/db/schema-state.ts'
import { keyCheckOfRows, KEY_CHECK_TABLES } from '../../diagnostics/data-key.ts'
import { type BackupFile, readBackup } from './postgres-tool.ts'

/** Thrown for a backup that must not be restored. */
export class BackupError extends Error {
  /** Exit code for the command. */
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/**
 * Checks a backup's product, version and encryption key before writing any row.
 * @throws BackupError
 */
export async function examineBackup(config: Config, source: BackupFile): Promise<void> {
  const ran: AppliedMigration[] = []
  const bodies: (AppliedBodies & { at: string })[] = []
  const keyCheck = keyCheckOfRows(config)
  await readBackup(source, ['schema_migration', 'schema_bodies', ...KEY_CHECK_TABLES], (table, row) => {
    const { name = '', digest = '', version = '', ran_at: at = '' } = row
    if (table === 'schema_migration') ran.push({ name, digest, version })
    else if (table === 'schema_bodies') bodies.push({ digest, version, at })
    else keyCheck.see(table, row)
  })
  if (ran.length === 0) throw new BackupError(`${source.file} is not a backup of this product. Nothing was changed.`, 1)
  const inOrder = ran.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const newestFirst = bodies.toSorted((a, b) => (a.at > b.at ? -1 : 1))
  try {
    schemaStateOf(inOrder, newestFirst, readSchema())
  } catch (error) {
    if (error instanceof SchemaError) throw new BackupError(`The backup is from another version. ${error.message} Nothing was changed.`, 1)
    throw error
  }
  const closed = keyCheck.output()
  if (closed !== undefined) throw new BackupError(`${closed} Nothing was changed.`, 2)
}
