import { changeSubjects } from '@tizara/contract/staff-changes'
import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberById } from '../members/index.ts'
import { assertStaff, auditStaff, roleWith, type StaffActor } from './actor.ts'
import { applyChange } from './apply-change.ts'
import { baseOf, readChange, sameJson } from './change-subjects.ts'
import type { StaffRight } from './rights.ts'

/** Key of the lock that orders approvals: two changes of one value must not both be based on what held before. */
const APPROVAL_LOCK = 1_702_257_012

/** A decision about a proposed change. */
export interface ChangeDecision {
  /** The change's id on the wire. */
  id: string
  reason?: string | undefined
}

function rightOf(subject: string): StaffRight {
  const known = changeSubjects.find((one) => one === subject)
  if (known === undefined) throw new AppError('NOT_FOUND')
  return `change.${known}`
}

async function lockPending(tx: Tx, id: string) {
  const row = await tx.selectFrom('staff_change').selectAll().where('public_id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  if (row.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  return row
}

/**
 * Puts a proposed change in force, in the same transaction as its approval. The only place where one is put in force:
 * never by the one who proposed it, never for one who may no longer propose it, and never on values that have changed since
 * (ASVS 2.3.5).
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, FOUR_EYES, CHANGE_OUTDATED, and those of putting it in force
 */
export async function approveChange(tx: Tx, deps: Deps, actor: StaffActor, decision: ChangeDecision): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPROVAL_LOCK})`.execute(tx)
  await assertStaff(tx, actor, 'approveChange')
  const row = await lockPending(tx, decision.id)
  const right = rightOf(row.subject)
  await assertStaff(tx, actor, right)
  if (row.proposed_by === actor.memberId) throw new AppError('FOUR_EYES')
  const makerRole = await roleWith(tx, row.proposed_by, right)
  if (makerRole === undefined) throw new AppError('CHANGE_OUTDATED')
  const change = readChange(row)
  if (change.subject === 'staff' && (await memberById(tx, actor.memberId))?.email === change.value.email) throw new AppError('FOUR_EYES')
  if (!sameJson(await baseOf(tx, deps, change), row.base)) throw new AppError('CHANGE_OUTDATED')
  const maker = { memberId: row.proposed_by, role: makerRole }
  await applyChange(tx, deps, change, { maker, checkerId: actor.memberId, changeId: decision.id })
  await decide(tx, deps, row.id, 'APPROVED', actor, decision.reason)
  await auditStaff(tx, deps, actor, {
    action: 'change.approve',
    subject: { type: 'change', id: decision.id },
    reason: decision.reason,
    detail: { subject: change.subject, before: row.base, after: row.value },
  })
}

/**
 * Refuses a proposed change, or takes an own one back.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED
 */
export async function refuseChange(tx: Tx, deps: Deps, actor: StaffActor, decision: ChangeDecision & { reason: string }): Promise<void> {
  await assertStaff(tx, actor, 'refuseChange')
  const row = await lockPending(tx, decision.id)
  await assertStaff(tx, actor, rightOf(row.subject))
  await decide(tx, deps, row.id, 'REFUSED', actor, decision.reason)
  await auditStaff(tx, deps, actor, {
    action: 'change.refuse',
    subject: { type: 'change', id: decision.id },
    reason: decision.reason,
    detail: { subject: row.subject },
  })
}

async function decide(
  tx: Tx,
  deps: Deps,
  id: bigint,
  status: 'APPROVED' | 'REFUSED',
  actor: StaffActor,
  reason: string | undefined,
): Promise<void> {
  await tx
    .updateTable('staff_change')
    .set({ status, decided_by: actor.memberId, decided_at: deps.clock.now(), decision_reason: reason ?? null })
    .where('id', '=', id)
    .execute()
}
