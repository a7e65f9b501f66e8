import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database.ts'
import type { AuditEventTable } from '../../platform/tables.generated.ts'

/** Something that happened and has to be provable later (invariant I17). No secret, code or token belongs in it. */
export interface AuditEntry {
  at: Date
  /** The member or staff member who acted; null when nobody is signed in. */
  actorId: bigint | null
  actorRole: 'MEMBER' | 'SUPPORT' | 'ADMIN' | 'SYSTEM' | 'VISITOR'
  /** What was done, such as `auth.login`. */
  action: string
  /** What it was done to. */
  subject?: { type: string; id: string } | undefined
  reason?: string | undefined
  /** `ok`, or the code of the refusal. */
  outcome: string
  ip?: string | undefined
  requestId?: string | undefined
  /** Anything else worth keeping; plain JSON values, amounts as text. */
  detail?: Record<string, unknown> | undefined
}

/** The hash before the first row. */
const GENESIS = '0'.repeat(64)
/** Key of the lock that orders appends: the last row cannot be locked before it is known which one is the last. */
const CHAIN_LOCK = 1_702_257_011

/** JSON with sorted keys, so that the same value always gives the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

type HashedFields = Omit<Selectable<AuditEventTable>, 'id' | 'hash'>

function hashOf(row: HashedFields): string {
  const fields = [
    row.previous_hash,
    row.at.toISOString(),
    row.actor_id === null ? null : String(row.actor_id),
    row.actor_role,
    row.action,
    row.subject_type,
    row.subject_id,
    row.reason,
    row.outcome,
    row.ip,
    row.request_id,
    row.detail,
  ]
  return createHash('sha256').update(canonical(fields)).digest('hex')
}

/**
 * Appends a row to the audit trail; it stands and falls with the transaction. Appends wait for each other until the
 * transaction ends, so call it last.
 * @param tx an open transaction
 * @param entry what happened
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  const last = await tx.selectFrom('audit_event').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const detail: unknown = JSON.parse(JSON.stringify(entry.detail ?? {}))
  const row: HashedFields = {
    at: entry.at,
    actor_id: entry.actorId,
    actor_role: entry.actorRole,
    action: entry.action,
    subject_type: entry.subject?.type ?? null,
    subject_id: entry.subject?.id ?? null,
    reason: entry.reason ?? null,
    outcome: entry.outcome,
    ip: entry.ip ?? null,
    request_id: entry.requestId ?? null,
    detail,
    previous_hash: last?.hash ?? GENESIS,
  }
  await tx
    .insertInto('audit_event')
    .values({ ...row, detail: JSON.stringify(detail), hash: hashOf(row) })
    .execute()
}

/** What a walk along the chain found. */
export interface AuditVerdict {
  /** Rows that hold. */
  rows: number
  /** Id of the first row that was changed, or that does not follow the row before it. */
  brokenAt: bigint | null
  /** Hash of the last row, to be kept outside the database. */
  head: string
}

const BATCH = 1000

/**
 * Walks along the audit trail and recomputes every hash (invariant I17, check `audit-chain` of ledger:audit).
 * @param db where
 */
export async function verifyAuditChain(db: Db): Promise<AuditVerdict> {
  let rows = 0
  let head = GENESIS
  let after = 0n
  for (;;) {
    const batch = await db.selectFrom('audit_event').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute()
    for (const row of batch) {
      if (row.previous_hash !== head || hashOf(row) !== row.hash) return { rows, brokenAt: row.id, head }
      head = row.hash
      after = row.id
      rows += 1
    }
    if (batch.length < BATCH) return { rows, brokenAt: null, head }
  }
}

/**
 * The audit trail as a check of `ledger:audit`.
 * @param db where
 * @returns one sentence per fault; empty when the trail holds
 */
export async function checkAuditChain(db: Db): Promise<string[]> {
  const verdict = await verifyAuditChain(db)
  return verdict.brokenAt === null ? [] : [`I17: audit row ${verdict.brokenAt} was changed or does not follow the row before it`]
}
