import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { nameKey, screeningAddressKey } from './keys.rules.ts'

/** A name or an address of a member, and why it is compared. */
export interface ScreeningSubject {
  memberId: bigint
  kind: 'name' | 'address'
  text: string
  cause: 'list' | 'name' | 'address' | 'payout'
}

/** A new match of a member with an entry of the active list. */
export interface ScreeningHit {
  publicId: string
  memberId: bigint
  kind: 'name' | 'address'
  source: string
  reference: string
  listedName: string
}

const TASKS = 500

/** Takes queued names and addresses, oldest first. */
export async function takeScreeningTasks(tx: Tx): Promise<ScreeningSubject[]> {
  const { rows } = await sql<Omit<ScreeningSubject, 'kind'> & { isName: boolean }>`
    with taken as (delete from screening_task where id in (select id from screening_task order by id limit ${TASKS})
      returning id, member_id, cause, address)
    select t.member_id as "memberId", t.cause, t.address is null as "isName", coalesce(t.address, m.name) as text
    from taken t join member m on m.id = t.member_id order by t.id`.execute(tx)
  return rows.map(({ isName, ...row }) => ({ ...row, kind: isName ? 'name' : 'address' }))
}

/**
 * Compares names and addresses with a list, and records the matches that are new. A match that was decided earlier is not repeated.
 * @param tx a transaction of the only job that records matches
 */
export async function recordScreeningHits(
  tx: Tx,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  listId: bigint,
  subjects: readonly ScreeningSubject[],
): Promise<ScreeningHit[]> {
  if (subjects.length === 0) return []
  const keys = subjects.map(({ kind, text }) => (kind === 'name' ? nameKey(text) : screeningAddressKey(text)))
  const { rows } = await sql<Omit<ScreeningHit, 'publicId'> & { key: string; cause: ScreeningSubject['cause']; listedOn: string | null }>`
    select distinct on (s.member_id, k.kind, k.key, k.source, k.reference) s.member_id as "memberId", k.kind, k.key, s.cause, k.source,
      k.reference, e.name as "listedName", e.listed_on::text as "listedOn"
    from unnest(${subjects.map(({ memberId }) => memberId)}::bigint[], ${subjects.map(({ kind }) => kind)}::text[], ${keys}::text[],
        ${subjects.map(({ cause }) => cause)}::text[]) s (member_id, kind, key, cause)
    join screening_key k on k.list_id = ${listId} and k.kind = s.kind and k.key = s.key
    join screening_entry e on e.list_id = k.list_id and e.source = k.source and e.reference = k.reference
    where not exists (select from screening_hit h where h.member_id = s.member_id and h.kind = k.kind and h.key = k.key
      and h.source = k.source and h.reference = k.reference)`.execute(tx)
  const hits = rows.map((row) => ({ ...row, publicId: ids.publicId() }))
  const found_at = clock.now()
  await insertRows(
    tx,
    'screening_hit',
    hits.map(({ publicId, memberId, kind, key, source, reference, listedName, listedOn, cause }) => ({
      public_id: publicId,
      member_id: memberId,
      kind,
      key,
      source,
      reference,
      listed_name: listedName,
      listed_on: listedOn,
      cause,
      found_at,
    })),
  )
  return hits
}

/**
 * Records the verdict of two people about matches of a member.
 * @throws AppError CHANGE_OUTDATED if one of them is not a match of the member, or has this verdict already
 */
export async function decideScreeningHits(
  tx: Tx,
  { memberId, hits, verdict, at }: { memberId: bigint; hits: readonly string[]; verdict: 'same' | 'different'; at: Date },
): Promise<void> {
  const decided = await tx
    .updateTable('screening_hit')
    .set({ verdict, decided_at: at })
    .where('member_id', '=', memberId)
    .where('public_id', 'in', [...hits])
    .where(sql<boolean>`verdict is distinct from ${verdict}`)
    .executeTakeFirst()
  if (decided.numUpdatedRows !== BigInt(hits.length)) throw new AppError('CHANGE_OUTDATED')
}

/** Reads the verdicts of matches by public id; null for an open one. */
export async function screeningVerdicts(db: Db, hits: readonly string[]): Promise<Record<string, string | null>> {
  const rows = await db
    .selectFrom('screening_hit')
    .select(['public_id', 'verdict'])
    .where('public_id', 'in', [...hits])
    .orderBy('id')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.public_id, row.verdict]))
}

/** Returns the members among these with a match that nobody has cleared. */
export async function membersHeldByScreening(db: Db, memberIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: bigint }>`
    select distinct member_id as id from screening_hit where member_id = any(${memberIds}::bigint[]) and verdict is distinct from 'different'`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Rejects a payout to a member with a match that nobody has cleared, or before the comparison of a new name, address or list.
 * @throws AppError SCREENING_OPEN
 */
export async function assertScreened(db: Db, memberId: bigint): Promise<void> {
  const { rows } = await sql<{ hold: string | null }>`select screening_hold(${memberId}) as hold`.execute(db)
  if (rows[0]?.hold !== null) throw new AppError('SCREENING_OPEN')
}
