import { sql } from 'kysely'
import type { Db } from './database.ts'
import { type DataKeys, keyMark, keysOf, MARK_BYTES, sealAnew } from './seal.ts'

/** A column whose texts are sealed; whoever owns the table declares it, so that a rotation finds every one. */
export interface SealedColumn {
  table: string
  /** Its primary key, one column. */
  key: string
  column: string
  /** What its texts are sealed for. */
  purpose: string
}

const BATCH = 200

const markOf = (at: SealedColumn) => sql`substring(${sql.ref(at.column)} from 1 for ${MARK_BYTES}::int)`

/**
 * Seals everything that is still under the other key of a rotation under the sealing one. Outside a rotation it does not
 * look at the table.
 * @returns how many texts
 */
export async function sealColumnAnew(db: Db, keys: DataKeys, at: SealedColumn): Promise<number> {
  if (keys.dataKeyPrevious === undefined) return 0
  let done = 0
  for (let last = -1n; ;) {
    const { rows } = await sql<{ key: bigint; sealed: Buffer }>`
      select ${sql.ref(at.key)} as key, ${sql.ref(at.column)} as sealed from ${sql.table(at.table)}
      where ${markOf(at)} = ${keyMark(keys.dataKeyPrevious)} and ${sql.ref(at.key)} > ${last}
      order by ${sql.ref(at.key)} limit ${BATCH}`.execute(db)
    for (const { key, sealed } of rows) {
      const renewed = sealAnew(keys, at.purpose, sealed)
      // What was written in between stays: whoever wrote it had the sealing key, or the next run finds it.
      const written =
        renewed === undefined
          ? undefined
          : await sql`update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${renewed}
              where ${sql.ref(at.key)} = ${key} and ${sql.ref(at.column)} = ${sealed}`.execute(db)
      done += Number(written?.numAffectedRows ?? 0n)
      last = key
    }
    if (rows.length < BATCH) return done
  }
}

/** How many texts of a column no known key opens. */
export async function countForeignSeals(db: Db, keys: DataKeys, at: SealedColumn): Promise<number> {
  const marks = keysOf(keys).map(keyMark)
  const { rows } = await sql<{ foreign: number }>`
    select count(*)::int as foreign from ${sql.table(at.table)}
    where ${sql.ref(at.column)} is not null and ${markOf(at)} <> all(${marks}::bytea[])`.execute(db)
  return rows[0]?.foreign ?? 0
}
