import { changeSubjects } from '@tizara/contract/staff-changes'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { actorsOf } from '../../audit/index.ts'
import { memberById } from '../../members/index.ts'
import { assertStaff, auditStaff, roleWith, type StaffActor } from '../access/actor.ts'
import { applyChange } from './kinds/apply-change.ts'
import { seenOf } from './change-effect.ts'
import { baseOf, readChange, sameJson } from './kinds/change-subjects.ts'
import { assertStillSimulated, draftAt } from './kinds/programme-simulation.ts'
import { assertNoNovice } from '../duties/novices.ts'
import { endChange, isExpired, OTHER_BASE, queueForApproval, replan, statusOf, topicOf } from './kinds/plan-changes.ts'
import { assertPlannable, assertStart } from './propose-change.ts'
import { asChange, assertLastWord, auditFallen, WORDS } from '../duties/last-word.ts'
import { isMakers } from './kinds/maker-seal.ts'
import { assertTold } from './kinds/price-step.ts'
import type { StaffRight } from '../access/rights.ts'
import { shareTraces } from '../duties/shared-traces.ts'
import { tightens } from './kinds/tightening.ts'

export interface ChangeDecision {
  /** The change's id on the wire. */
  id: string
  reason?: string | undefined
  /** Mark of what the approver was shown. */
  seen?: string | undefined
}

function rightOf(subject: string): StaffRight {
  const known = changeSubjects.find((one) => one === subject)
  if (known === undefined) throw new AppError('NOT_FOUND')
  return `change.${known}`
}

async function lockPending(tx: Tx, id: string, now: Date) {
  const row = await tx.selectFrom('staff_change').selectAll().where('public_id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  if (row.status === 'OUTDATED' || isExpired(row, now)) throw new AppError('CHANGE_OUTDATED')
  if (row.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  return row
}

/**
 * Puts a proposed change in force, or plans it for its start, in the same transaction as its approval. The only place where
 * that is done: never by the one who proposed it or a second account of
 * theirs, never for one who may no longer propose it, never on values that have
 * changed since, and never with another effect than the approver saw (ASVS 2.3.5).
 * @returns its start, null when it is in force
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, FOUR_EYES, APPROVAL_FORGED, CHANGE_OUTDATED, SIMULATION_NEEDED, START_IN_PAST, PRICE_STEP, and
 *   those of putting it in force
 */
export async function approveChange(tx: Tx, surroundings: Deps, actor: StaffActor, decision: ChangeDecision): Promise<Date | null> {
  const deps = withFrozenClock(surroundings)
  await queueForApproval(tx)
  await assertStaff(tx, actor, 'approveChange')
  const row = await lockPending(tx, decision.id, deps.clock.now())
  const right = rightOf(row.subject)
  await assertStaff(tx, actor, right)
  if (!isMakers(deps.config, row)) throw new AppError('APPROVAL_FORGED')
  await assertLastWord(tx, 'change', { type: 'change', id: decision.id }, { by: row.proposed_by, at: row.created_at })
  if (row.proposed_by === actor.memberId || (await shareTraces(tx, actor.memberId, row.proposed_by))) throw new AppError('FOUR_EYES')
  await assertNoNovice(tx, deps.clock.now(), [actor.memberId, row.proposed_by])
  const makerRole = await roleWith(tx, row.proposed_by, right)
  if (makerRole === undefined) throw new AppError('CHANGE_OUTDATED')
  const now = deps.clock.now()
  const startsAt = row.starts_at
  assertStart(startsAt, now)
  const change = readChange(row)
  if (change.subject === 'staff' && (await memberById(tx, actor.memberId))?.email === change.value.email) throw new AppError('FOUR_EYES')
  if (!sameJson(await baseOf(tx, deps, change, startsAt ?? now), row.base)) throw new AppError('CHANGE_OUTDATED')
  if (decision.seen !== undefined && decision.seen !== (await seenOf(tx, deps, row, change))) throw new AppError('CHANGE_OUTDATED')
  await assertTold(tx, change, startsAt, now)
  const simulation = change.subject === 'programme' ? await assertStillSimulated(tx, now, await draftAt(tx, change.value, now)) : undefined
  await decide(tx, deps, row.id, 'APPROVED', actor, decision.reason)
  if (startsAt !== null) await assertPlannable(tx, deps, change, startsAt)
  else
    await applyChange(tx, deps, change, {
      maker: { memberId: row.proposed_by, role: makerRole },
      checkerId: actor.memberId,
      changeId: decision.id,
    })
  const topic = topicOf(row, decision.id)
  const fallen = topic === undefined ? [] : await replan(tx, deps, topic)
  if (fallen.includes(decision.id)) throw new AppError('CHANGE_OUTDATED')
  await auditFallen(tx, deps, fallen.map(asChange), OTHER_BASE)
  await auditStaff(tx, deps, actor, {
    action: 'change.approve',
    subject: { type: 'change', id: decision.id },
    reason: decision.reason,
    detail: {
      subject: change.subject,
      before: row.base,
      after: row.value,
      ...(simulation === undefined ? {} : { simulation }),
      ...(startsAt === null ? {} : { startsAt: startsAt.toISOString() }),
      ...(fallen.length === 0 ? {} : { outdated: fallen }),
    },
  })
  return startsAt
}

/**
 * Cancels a planned change before its start. One person suffices, as the values in force stay, unless the change tightens a
 * limit: that takes two, like loosening it. Changes that are based on it end with it.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED when it is not planned, FOUR_EYES for the first of two
 */
export async function cancelChange(tx: Tx, deps: Deps, actor: StaffActor, decision: { id: string; reason: string }): Promise<void> {
  await queueForApproval(tx)
  await assertStaff(tx, actor, 'cancelChange')
  const now = deps.clock.now()
  const row = await tx.selectFrom('staff_change').selectAll().where('public_id', '=', decision.id).forUpdate().executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  await assertStaff(tx, actor, rightOf(row.subject))
  if (statusOf(row, now) !== 'PLANNED') throw new AppError('ALREADY_DECIDED')
  if (tightens(row)) await assertOtherCancelled(tx, now, actor, { id: decision.id, right: rightOf(row.subject) })
  await endChange(tx, row.id, { status: 'CANCELLED', at: now, by: actor.memberId, reason: decision.reason })
  const topic = topicOf(row, decision.id)
  const fallen = topic === undefined ? [] : await replan(tx, deps, topic)
  await auditFallen(tx, deps, fallen.map(asChange), OTHER_BASE)
  await auditStaff(tx, deps, actor, {
    action: 'change.cancel',
    subject: { type: 'change', id: decision.id },
    reason: decision.reason,
    detail: { subject: row.subject, ...(fallen.length === 0 ? {} : { outdated: fallen }) },
  })
}

/**
 * Refuses the first of two people who cancel a change. The refused attempt is in the audit trail, where the second one's call
 * finds it.
 * @throws AppError FOUR_EYES until another person, who still may, has tried it too
 */
async function assertOtherCancelled(tx: Tx, now: Date, actor: StaffActor, change: { id: string; right: StaffRight }): Promise<void> {
  const attempt = { subject: asChange(change.id), action: WORDS.change[3], outcome: 'FOUR_EYES' }
  for (const other of await actorsOf(tx, attempt)) {
    if (other === actor.memberId || (await shareTraces(tx, actor.memberId, other))) continue
    if ((await roleWith(tx, other, change.right)) === undefined) continue
    return assertNoNovice(tx, now, [actor.memberId, other])
  }
  throw new AppError('FOUR_EYES')
}

/**
 * Refuses a proposed change, or takes an own one back.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED
 */
export async function refuseChange(tx: Tx, deps: Deps, actor: StaffActor, decision: ChangeDecision & { reason: string }): Promise<void> {
  await assertStaff(tx, actor, 'refuseChange')
  const row = await lockPending(tx, decision.id, deps.clock.now())
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
