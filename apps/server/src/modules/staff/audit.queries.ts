import type { QueryOf } from '@tizara/contract'
import type { staffAudit } from '@tizara/contract/staff'
import type { Db } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { listAudit } from '../members/index.ts'

/** Who did what, when and why, newest first (invariant I17). */
export async function readAudit(db: Db, query: QueryOf<typeof staffAudit>) {
  const slice = readSlice(query)
  const { rows, total } = await listAudit(db, {
    text: query.q ?? '',
    slice,
    who: query.who,
    kind: query.kind,
    before: query.before === undefined ? undefined : BigInt(query.before),
  })
  const data = rows.map((row) => ({
    id: String(row.id),
    createdAt: row.at,
    actor: row.email ?? row.actor_role,
    name: row.name,
    role: row.actor_role,
    outcome: row.outcome,
    ip: row.ip,
    requestId: row.request_id,
    hash: row.hash,
    previousHash: row.previous_hash,
    action: row.action,
    subject: [row.subject_type, row.subject_id].filter((part) => part !== null).join(' '),
    reason: row.reason,
    details: { outcome: row.outcome, role: row.actor_role, detail: row.detail },
  }))
  return { data, meta: { total, page: slice.page, limit: slice.limit } }
}
