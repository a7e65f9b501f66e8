import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { type Member } from '../members/index.ts'
import type { Origin } from './sessions/sessions.ts'

/** Authentication event (invariant I17). */
export interface AuthEvent {
  /** Name after the prefix `auth.`. */
  action: string
  /** Member of the event; undefined if no account has the typed address. */
  member?: Pick<Member, 'id' | 'public_id' | 'role'> | undefined
  origin: Origin
  /** Refusal's error code; `ok` if omitted. */
  outcome?: string
  detail?: Record<string, unknown>
}

/** Writes an event of this module to the audit log. Call it last in the transaction. */
export async function auditAuth(tx: Tx, deps: Pick<Deps, 'clock'>, event: AuthEvent): Promise<void> {
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: event.member?.id ?? null,
    actorRole: event.member === undefined ? 'VISITOR' : event.member.role,
    action: `auth.${event.action}`,
    subject: event.member === undefined ? undefined : { type: 'member', id: event.member.public_id },
    outcome: event.outcome ?? 'ok',
    ip: event.origin.ip,
    requestId: event.origin.requestId,
    detail: event.detail,
  })
}
