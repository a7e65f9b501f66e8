import { sql } from 'kysely'
import type { AuditCheck, AuditWindow } from '../../ledger/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Something that happened and has to be provable later (invariant I17). No secret, code or token belongs in it. */
export interface AuditEntry {
  at: Date
  /** The member or staff member who acted; null when nobody is signed in. */
  actorId: bigint | null
  /** MEMBER, SUPPORT, ADMIN, SYSTEM or VISITOR. */
  actorRole: string
  /** What was done, such as `auth.login`. */
  action: string
  subject?: { type: string; id: string } | undefined
  reason?: string | undefined
  /** `ok`, or the code of the refusal. */
  outcome: string
  ip?: string | undefined
  requestId?: string | undefined
  /** Anything else worth keeping; plain JSON values, amounts as text. */
  detail?: Record<string, unknown> | undefined
}

/** Key of the lock that orders appends: the last row cannot be locked before it is known which one is the last. */
const CHAIN_LOCK = 1_702_257_011
const BEFORE_THE_FIRST = '0'.repeat(64)

/**
 * Appends a row to the audit trail; it stands and falls with the transaction. Appends wait for each other until the
 * transaction ends, so call it last.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  await sql`
    with entry (at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail, previous_hash) as (
      select ${entry.at}::timestamptz, ${entry.actorId}::bigint, ${entry.actorRole}::text, ${entry.action}::text,
        ${entry.subject?.type ?? null}::text, ${entry.subject?.id ?? null}::text, ${entry.reason ?? null}::text, ${entry.outcome}::text,
        ${entry.ip ?? null}::text, ${entry.requestId ?? null}::text, ${JSON.stringify(entry.detail ?? {})}::jsonb,
        coalesce((select hash from audit_event order by id desc limit 1), ${BEFORE_THE_FIRST}))
    insert into audit_event
      (at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail, previous_hash, hash)
    select entry.*, audit_hash(previous_hash, at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail)
    from entry`.execute(tx)
}

/** SQL: rows of the trail that were changed, or do not follow the one before. */
const brokenLinks = (first: string, which = 'true') => `
  select id, action, at from (select e.*, lag(hash, 1, ${first}) over (order by id) as hash_before from audit_event e where ${which}) e
  where previous_hash <> hash_before or hash <> audit_hash(
    previous_hash, at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail)`

/** Sealed months cut the trail as they cut the ledger, at the rows that tell of their seals. */
async function linksOf({ month, sealBefore }: AuditWindow, ask: (text: string) => Promise<bigint>): Promise<string> {
  const told = (of: string | undefined) =>
    of === undefined ? 0n : ask(`select min(id) from audit_event where subject_type = 'month' and subject_id = '${of}'`)
  const [after, last] = [await told(sealBefore), await told(month)]
  return brokenLinks(
    `coalesce((select hash from audit_event where id <= ${after} order by id desc limit 1), '${BEFORE_THE_FIRST}')`,
    `id > ${after}${last === 0n ? '' : ` and id <= ${last}`}`,
  )
}

/** Checks of `ledger:audit` over the audit log. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I17',
    title: 'every audit row has its hash and follows the row before it',
    sql: brokenLinks(`'${BEFORE_THE_FIRST}'`),
    later: { within: linksOf },
  },
]

/** The newest audit row, whose hash is to be kept outside the database (ASVS 16.4.3). */
export async function auditHead(db: Db): Promise<{ id: bigint; hash: string; at: Date } | undefined> {
  return db.selectFrom('audit_event').select(['id', 'hash', 'at']).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** How far the chain was followed. */
export interface ChainPlace {
  id: bigint
  hash: string
}

/** Before the first row. */
export const chainStart: ChainPlace = { id: 0n, hash: BEFORE_THE_FIRST }

/** Follows the chain over the next rows; `firstBad` was changed, or what stood before it is gone. */
export async function followChain(db: Db, after: ChainPlace, limit: number) {
  const { rows } = await sql<{ rows: number; last: bigint | null; hash: string | null; first_bad: bigint | null }>`
    select count(*)::int as rows, max(id) as last, (array_agg(hash order by id desc))[1] as hash, min(id) filter (where bad) as first_bad
    from (
      select id, hash, previous_hash <> lag(hash, 1, ${after.hash}) over (order by id) or hash <> audit_hash(
        previous_hash, at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail) as bad
      from (select * from audit_event where id > ${after.id} order by id limit ${limit}) part) e`.execute(db)
  const [found] = rows
  return {
    rows: found?.rows ?? 0,
    last: found?.last === null || found?.hash === null || found === undefined ? undefined : { id: found.last, hash: found.hash },
    firstBad: found?.first_bad ?? undefined,
  }
}

/** The hashes of rows, as they stand. */
export async function hashesOf(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_event')
    .select(['id', 'hash'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.hash]))
}

/** When the trail begins, and how many rows came after one of them. */
export async function trailLength(db: Db, after: bigint): Promise<{ since: Date | undefined; newer: number }> {
  const { rows } = await sql<{ since: Date | null; newer: number }>`
    select (select at from audit_event order by id limit 1) as since, (select count(*)::int from audit_event where id > ${after}) as newer`.execute(
    db,
  )
  return { since: rows[0]?.since ?? undefined, newer: rows[0]?.newer ?? 0 }
}
