import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { type DataKeys, keyMark, keysOf, MARK_BYTES, reEncrypt } from './encrypt.ts'

/**
 * Column whose value depends on a data key: an encrypted value or a MAC. A module declares its columns, so that a key rotation includes
 * them.
 */
export interface EncryptedColumn {
  table: string
  /** Primary key of the table, one column. */
  key: string
  column: string
  purpose: string
  /** Column with the text's owner; absent if the text names it. */
  owner?: string
}

const BATCH = 200

const markOf = (at: EncryptedColumn) => sql`substring(${sql.ref(at.column)} from 1 for ${MARK_BYTES}::int)`

/**
 * Encrypts the next texts of the previous key again with the current key. Outside a rotation the function does not read the table.
 * @param after the primary key after which to start; texts that cannot be decrypted stay unchanged
 * @returns the number of texts, and the primary key to continue after
 */
export async function reEncryptNext(
  tx: Tx,
  keys: DataKeys,
  at: EncryptedColumn,
  after: bigint,
): Promise<{ done: number; last: bigint; more: boolean }> {
  if (keys.dataKeyPrevious === undefined) return { done: 0, last: after, more: false }
  const owner = at.owner === undefined ? sql`''` : sql`${sql.ref(at.owner)}::text`
  const { rows } = await sql<{ key: bigint; encrypted: Buffer; owner: string }>`
    select ${sql.ref(at.key)} as key, ${sql.ref(at.column)} as encrypted, ${owner} as owner from ${sql.table(at.table)}
    where ${markOf(at)} = ${keyMark(keys.dataKeyPrevious)} and ${sql.ref(at.key)} > ${after}
    order by ${sql.ref(at.key)} limit ${BATCH}`.execute(tx)
  let reencrypted = 0
  for (const { key, encrypted, owner: rowOwner } of rows) {
    const renewed = reEncrypt(keys, at.purpose, encrypted, rowOwner)
    // Skips values that changed meanwhile: these already use the current key, or the next run finds them.
    const written =
      renewed === undefined
        ? undefined
        : await sql`update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${renewed}
            where ${sql.ref(at.key)} = ${key} and ${sql.ref(at.column)} = ${encrypted}`.execute(tx)
    reencrypted += Number(written?.numAffectedRows ?? 0n)
  }
  return { done: reencrypted, last: rows.at(-1)?.key ?? after, more: rows.length === BATCH }
}

/** Returns the number of a column's values that neither the current nor the previous key can decrypt. */
export async function countUnknownKeys(db: Db, keys: DataKeys, at: EncryptedColumn): Promise<number> {
  const marks = keysOf(keys).map(keyMark)
  const { rows } = await sql<{ foreign: number }>`
    select count(*)::int as foreign from ${sql.table(at.table)}
    where ${sql.ref(at.column)} is not null and ${markOf(at)} <> all(${marks}::bytea[])`.execute(db)
  return rows[0]?.foreign ?? 0
}

/** Returns true if no known key decrypts an encrypted text. */
export function isUnknownKey(keys: DataKeys, encrypted: Buffer): boolean {
  const mark = encrypted.subarray(0, MARK_BYTES)
  return !keysOf(keys).some((key) => keyMark(key).equals(mark))
}
