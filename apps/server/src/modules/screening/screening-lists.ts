import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { ScreeningList } from './read-list.ts'

/** Entries that one statement inserts, and rows that one statement deletes. */
const ROWS = 2_000
/** `member_cursor` after the comparison with all members: each later member is compared when it is added. */
const ALL_MEMBERS = 9_223_372_036_854_775_807n

/** Stores a list until two people decide about it. Drops the list that waited before. */
export async function stageScreeningList(tx: Tx, { hash, entries }: ScreeningList, at: Date): Promise<void> {
  await replace(tx, 'STAGED')
  const { id } = await tx
    .insertInto('screening_list')
    .values({ hash, status: 'STAGED', entries: entries.length, staged_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let from = 0; from < entries.length; from += ROWS) {
    const some = entries.slice(from, from + ROWS)
    await insertRows(
      tx,
      'screening_entry',
      some.map(({ source, reference, name, listedOn }) => ({ list_id: id, source, reference, name, listed_on: listedOn })),
    )
    await insertRows(
      tx,
      'screening_key',
      some.flatMap(({ source, reference, keys }) => keys.map(({ kind, key }) => ({ list_id: id, kind, key, source, reference }))),
    )
  }
}

const replace = (tx: Tx, status: 'STAGED' | 'ACTIVE') =>
  tx.updateTable('screening_list').set({ status: 'REPLACED' }).where('status', '=', status).execute()

/**
 * Replaces the active list by the staged one with this hash; null switches screening off. Waits for transactions that add a name or an
 * address, because neither they nor the comparison with all members would otherwise compare it.
 * @throws AppError CHANGE_OUTDATED if another list, or none, is staged
 */
export async function activateScreeningList(tx: Tx, hash: string | null, at: Date): Promise<void> {
  // Their triggers hold a weaker lock of this table until they end.
  await sql`lock table screening_task in share row exclusive mode`.execute(tx)
  await replace(tx, 'ACTIVE')
  if (hash === null) {
    await tx.deleteFrom('screening_task').execute()
    return
  }
  const activated = await tx
    .updateTable('screening_list')
    .set({ status: 'ACTIVE', activated_at: at })
    .where('status', '=', 'STAGED')
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (activated.numUpdatedRows !== 1n) throw new AppError('CHANGE_OUTDATED')
}

/** Reads the active and the staged list. `isCompared` says whether all members have been compared with it. */
export async function readScreeningLists(db: Db) {
  const rows = await db.selectFrom('screening_list').selectAll().where('status', '<>', 'REPLACED').execute()
  const of = (status: 'ACTIVE' | 'STAGED') => {
    const row = rows.find((one) => one.status === status)
    if (row === undefined) return undefined
    const { id, hash, entries, staged_at: stagedAt, activated_at: activatedAt } = row
    return { id, hash, entries, stagedAt, activatedAt, isCompared: row.member_cursor === ALL_MEMBERS }
  }
  return { active: of('ACTIVE'), staged: of('STAGED') }
}

/** Counts the entries of the staged list that the active one lacks, and the reverse. */
export async function compareStagedList(db: Db): Promise<{ added: number; removed: number }> {
  const lacking = (from: string, other: string): RawBuilder<number> => sql`(select count(*)::int from screening_entry e
    join screening_list l on l.id = e.list_id and l.status = ${from} where not exists (select from screening_entry o
      join screening_list m on m.id = o.list_id and m.status = ${other} where o.source = e.source and o.reference = e.reference))`
  const { rows } = await sql<{ added: number; removed: number }>`
    select ${lacking('STAGED', 'ACTIVE')} as added, ${lacking('ACTIVE', 'STAGED')} as removed`.execute(db)
  return rows[0] ?? { added: 0, removed: 0 }
}

/** Deletes some rows of replaced lists. @returns the number of deleted rows */
export async function deleteReplacedLists(tx: Tx): Promise<number> {
  const list = await tx.selectFrom('screening_list').select('id').where('status', '=', 'REPLACED').limit(1).executeTakeFirst()
  if (list === undefined) return 0
  for (const table of ['screening_key', 'screening_entry'] as const) {
    const deleted = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where list_id = ${list.id} limit ${ROWS}))`.execute(tx)
    if (deleted.numAffectedRows !== 0n) return Number(deleted.numAffectedRows)
  }
  await tx.deleteFrom('screening_list').where('id', '=', list.id).execute()
  return 1
}

/** Returns the next addresses of the active list, in order, that were not compared with all members. */
export async function nextListedAddresses(tx: Tx, listId: bigint): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct k.key from screening_key k join screening_list l on l.id = k.list_id
    where l.id = ${listId} and k.kind = 'address' and k.key > l.address_cursor order by k.key limit ${ROWS}`.execute(tx)
  return rows.map(({ key }) => key)
}

/** Records the addresses of the active list that were compared. */
export const advanceAddresses = (tx: Tx, listId: bigint, to: string) =>
  tx.updateTable('screening_list').set({ address_cursor: to }).where('id', '=', listId).execute()

/** Returns the next members, in order, whose names were not compared with the active list. Records that they were. */
export async function takeMembersToCompare(tx: Tx, listId: bigint): Promise<{ id: bigint; name: string }[]> {
  const { rows } = await sql<{ id: bigint; name: string }>`
    select m.id, m.name from member m where m.id > (select member_cursor from screening_list where id = ${listId})
    order by m.id limit ${ROWS}`.execute(tx)
  const to = rows.length < ROWS ? ALL_MEMBERS : (rows.at(-1)?.id ?? ALL_MEMBERS)
  await tx.updateTable('screening_list').set({ member_cursor: to }).where('id', '=', listId).execute()
  return rows
}
