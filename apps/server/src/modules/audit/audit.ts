import { sql } from 'kysely'
import type { AuditCheck, AuditWindow } from '../../ledger/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** An event to prove later (invariant I17). It must not contain secrets, codes or tokens. */
export interface AuditEntry {
  at: Date
  /** The acting member or staff member; null when signed out. */
  actorId: bigint | null
  /** MEMBER, SUPPORT, ADMIN, SYSTEM or VISITOR. */
  actorRole: string
  /** The action, such as `auth.login`. */
  action: string
  subject?: { type: string; id: string } | undefined
  reason?: string | undefined
  /** `ok`, or the refusal's error code. */
  outcome: string
  ip?: string | undefined
  requestId?: string | undefined
  /** Further details; plain JSON values, amounts as text. */
  detail?: Record<string, unknown> | undefined
}

/** Advisory lock key that orders appends: the last row is unknown before it is locked. */
const CHAIN_LOCK = 1_702_257_011
const BEFORE_THE_FIRST = '0'.repeat(64)

/**
 * Appends a row to the audit log in the caller's transaction. Another append waits until the end of this transaction, so the call should be
 * the last one.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  await sql`
    with entry (at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail, previous_hash) as (
      select ${entry.at}::timestamptz, ${entry.actorId}::bigint, ${entry.actorRole}::text, ${entry.action}::text,
        ${entry.subject?.type ?? null}::text, ${entry.subject?.id ?? null}::text, ${entry.reason ?? null}::text, ${entry.outcome}::text,
        ${entry.ip ?? null}::text, ${entry.requestId ?? null}::text, ${JSON.stringify(entry.detail ?? {})}::jsonb,
        coalesce((select hash from audit_event order by id desc limit 1), ${BEFORE_THE_FIRST})),
    salted as materialized (select *, audit_salt(reason) as reason_salt, audit_salt(ip) as ip_salt,
      audit_salt(nullif(detail::text, '{}')) as detail_salt from entry)
    insert into audit_event (at, actor_id, actor_role, action, subject_type, subject_id, reason, outcome, ip, request_id, detail,
      previous_hash, reason_salt, ip_salt, detail_salt, hash)
    select salted.*, audit_hash(${sql.raw(HASHED)}) from salted`.execute(tx)
}

/** SQL: arguments of `audit_hash` for a row. */
const HASHED = `previous_hash, at, actor_id, actor_role, action, subject_type, subject_id, reason, reason_salt, outcome, ip, ip_salt, request_id,
  detail, detail_salt`

/** SQL: audit rows that were modified, or do not follow their predecessor. */
const brokenLinks = (first: string, which = 'true') => `
  select id, action, at from (select e.*, lag(hash, 1, ${first}) over (order by id) as hash_before from audit_event e where ${which}) e
  where previous_hash <> hash_before or hash <> audit_hash(${HASHED})`

/** Limits the check to the rows of a closed month, between the audit rows of two period closes. */
async function linksOf({ month, closeBefore }: AuditWindow, ask: (text: string) => Promise<bigint>): Promise<string> {
  const closeEntry = (of: string | undefined) =>
    of === undefined ? 0n : ask(`select min(id) from audit_event where subject_type = 'month' and subject_id = '${of}'`)
  const [after, last] = [await closeEntry(closeBefore), await closeEntry(month)]
  return brokenLinks(
    `coalesce((select hash from audit_event where id <= ${after} order by id desc limit 1), '${BEFORE_THE_FIRST}')`,
    `id > ${after}${last === 0n ? '' : ` and id <= ${last}`}`,
  )
}

/** `ledger:audit` checks on the audit log. */
export const auditChecks: readonly AuditCheck[] = [
  {
    invariant: 'I17',
    title: 'every audit row has its hash and follows the row before it',
    sql: brokenLinks(`'${BEFORE_THE_FIRST}'`),
    afterClose: { within: linksOf },
  },
]

/** Reads the newest audit row, whose hash is also stored outside the database (ASVS 16.4.3). */
export async function auditHead(db: Db): Promise<{ id: bigint; hash: string; at: Date } | undefined> {
  return db.selectFrom('audit_event').select(['id', 'hash', 'at']).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** Audit action of a restore from a backup. The detail contains the newest row of the backup. */
export const RESTORED = 'platform.restore'

/** Lists the restores of this database: when, and the last row of the backup, 0 for an empty log. */
export async function listRestores(db: Db): Promise<{ at: Date; head: bigint }[]> {
  const { rows } = await sql<{ at: Date; head: bigint }>`select at, coalesce((detail -> 'head' ->> 'row')::bigint, 0) as head
    from audit_event where action = ${sql.lit(RESTORED)} and outcome = 'ok' order by id`.execute(db)
  return rows
}

/** Returns the hash of the last restore's entry, which no other restore of the same backup has; `0` without a restore. */
export async function lastRestore(db: Db): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select hash from audit_event where action = ${sql.lit(RESTORED)} and outcome = 'ok' order by id desc limit 1`.execute(db)
  return rows[0]?.hash ?? '0'
}

/** A verified position in the chain. */
export interface ChainPosition {
  id: bigint
  hash: string
}

/** The position before the first row. */
export const chainStart: ChainPosition = { id: 0n, hash: BEFORE_THE_FIRST }

/** Verifies the chain's next rows. `firstBad` was modified, or its predecessor is missing. */
export async function followChain(db: Db, after: ChainPosition, limit: number) {
  const { rows } = await sql<{ rows: number; last: bigint | null; hash: string | null; first_bad: bigint | null }>`
    select count(*)::int as rows, max(id) as last, (array_agg(hash order by id desc))[1] as hash, min(id) filter (where bad) as first_bad
    from (
      select id, hash, previous_hash <> lag(hash, 1, ${after.hash}) over (order by id) or hash <> audit_hash(${sql.raw(HASHED)}) as bad
      from (select * from audit_event where id > ${after.id} order by id limit ${limit}) part) e`.execute(db)
  const [found] = rows
  return {
    rows: found?.rows ?? 0,
    last: found?.last === null || found?.hash === null || found === undefined ? undefined : { id: found.last, hash: found.hash },
    firstBad: found?.first_bad ?? undefined,
  }
}

/** Reads rows' current hashes. */
export async function hashesOf(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_event')
    .select(['id', 'hash'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.hash]))
}

/** Returns the start of the audit log and the number of rows after a given row. */
export async function auditLogLength(db: Db, after: bigint): Promise<{ since: Date | undefined; newer: number }> {
  const { rows } = await sql<{ since: Date | null; newer: number }>`
    select (select at from audit_event order by id limit 1) as since, (select count(*)::int from audit_event where id > ${after}) as newer`.execute(
    db,
  )
  return { since: rows[0]?.since ?? undefined, newer: rows[0]?.newer ?? 0 }
}
