// Written by `npm run db:types` from the migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A JSON document: read as a value, written as text. */
export type Json = ColumnType<unknown, string, string>

export interface AuditEventTable {
  id: Generated<bigint>
  at: Date
  actor_id: bigint | null
  actor_role: string
  action: string
  subject_type: string | null
  subject_id: string | null
  reason: string | null
  outcome: string
  ip: string | null
  request_id: string | null
  detail: Generated<Json>
  previous_hash: string
  hash: string
}

export interface IdempotencyTable {
  member_id: bigint
  operation: string
  key: string
  request_digest: string
  status: number
  answer: string
  created_at: Date
}

export interface JobLeaseTable {
  name: string
  holder: string | null
  token: Generated<bigint>
  held_until: Date | null
  last_started_at: Date | null
  last_finished_at: Date | null
  last_error: string | null
}

export interface RateLimitTable {
  key: string
  window_start: Date
  hits: number
}

/** All tables and views. */
export interface DB {
  audit_event: AuditEventTable
  idempotency: IdempotencyTable
  job_lease: JobLeaseTable
  rate_limit: RateLimitTable
}
