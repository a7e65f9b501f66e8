import { encryptedMails } from '../gateways/mailer/index.ts'
import { encryptedFactors } from '../modules/auth/index.ts'
import type { Config } from '../platform/config/config.ts'
import { countUnknownKeys, isUnknownKey } from '../platform/crypto/encrypted-column.ts'
import type { Database, Db } from '../platform/db/database.ts'

/** Required columns: an instance that cannot decrypt them must not start. */
export const REQUIRED_COLUMNS = [encryptedFactors, encryptedMails]

/** Returns one sentence about stored values that a production process cannot decrypt; undefined if there are none. */
export async function undecryptableRows(config: Config, db: Db): Promise<string | undefined> {
  if (config.mode !== 'production') return undefined
  const closed = new Map<string, number>()
  for (const column of REQUIRED_COLUMNS) closed.set(column.table, await countUnknownKeys(db, config, column))
  return describeUndecryptable(closed)
}

/** Tables that a backup's key check reads. */
export const KEY_CHECK_TABLES: readonly string[] = REQUIRED_COLUMNS.map(({ table }) => table)

/** Performs the same check on a backup, row by row, with the result at the end. */
export function keyCheckOfRows(config: Config): {
  see(table: string, row: Readonly<Record<string, string>>): void
  output(): string | undefined
} {
  const closed = new Map<string, number>()
  return {
    see: (table, row) => {
      const encrypted = row[REQUIRED_COLUMNS.find((column) => column.table === table)?.column ?? '']
      if (encrypted === undefined || !isUnknownKey(config, Buffer.from(encrypted.slice(2), 'hex'))) return
      closed.set(table, (closed.get(table) ?? 0) + 1)
    },
    output: () => (config.mode === 'production' ? describeUndecryptable(closed) : undefined),
  }
}

function describeUndecryptable(counts: ReadonlyMap<string, number>): string | undefined {
  const closed = [...counts].filter(([, count]) => count > 0).map(([table, count]) => `${count} of ${table}`)
  if (closed.length === 0) return undefined
  return `DATA_KEY: rows are encrypted under another key (${closed.join(', ')}). Set that key as DATA_KEY_PREVIOUS.`
}

/** Stops a production process without a key for stored data: it would lock out every member with an authenticator app. */
export async function rejectUnknownKey(config: Config, database: Database, say: (why: string) => void = console.error): Promise<void> {
  const why = await undecryptableRows(config, database.db)
  if (why === undefined) return
  say(why)
  await database.close()
  process.exit(2)
}
