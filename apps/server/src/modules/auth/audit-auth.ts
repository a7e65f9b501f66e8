import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { type Member } from '../members/index.ts'
import type { Origin } from './sessions.ts'

/** An event of this module (invariant I17). */
export interface AuthEvent {
  /** Name after `auth.`. */
  action: string
  /** The member it is about; undefined when nobody has the address that was typed. */
  member?: Pick<Member, 'id' | 'public_id' | 'role'> | undefined
  origin: Origin
  /** Code of the refusal; `ok` when left out. */
  outcome?: string
  detail?: Record<string, unknown>
}

/** Writes an event of this module to the audit trail; call it last in the transaction. */
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
