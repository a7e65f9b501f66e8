import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { type AuditEntry, recordAudit, recordHourly } from '../audit/index.ts'
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
  await recordAudit(tx, entryOf(deps, event))
}

const entryOf = ({ clock }: Pick<Deps, 'clock'>, { action, member, origin, outcome = 'ok', detail }: AuthEvent): AuditEntry => ({
  at: clock.now(),
  actorId: member?.id ?? null,
  actorRole: member === undefined ? 'VISITOR' : member.role,
  action: `auth.${action}`,
  subject: member === undefined ? undefined : { type: 'member', id: member.public_id },
  outcome,
  ip: origin.ip,
  requestId: origin.requestId,
  detail,
})

/**
 * Runs a check of a member's proof, and records its refusal [I17]. A busy server refuses nothing.
 * @param options `hourly` limits the entries to one an hour, for a refusal that no budget limits. A call above a budget has one an hour, too.
 */
export async function recordRejectedProof<T>(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  { member, origin, hourly = false }: { member: NonNullable<AuthEvent['member']>; origin: Origin; hourly?: boolean },
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof AppError && error.statusCode < 500) {
      const entry = { ...entryOf(deps, { action: 'step-up', member, origin, outcome: error.code }), actorId: member.id }
      const isLimited = hourly || error.code === 'TOO_MANY_REQUESTS'
      await (isLimited ? recordHourly(db, entry) : inTransaction(db, (tx) => recordAudit(tx, entry)))
    }
    throw error
  }
}
