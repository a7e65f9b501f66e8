import type { Selectable } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { StaffProposalTable } from '../../../platform/db/tables.generated.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listActors } from '../../audit/index.ts'
import { assertStaff, auditStaff, roleWith, type StaffActor } from '../access/actor.ts'
import type { StaffRight } from '../access/rights.ts'
import { APPROVAL_ACTIONS, assertMatchesLatestAuditEntry, auditExpired, proposalSubject } from '../duties/approval-audit-match.ts'
import { assertNoConflictOfInterest, hasConflictOfInterest } from '../duties/conflict-of-interest.ts'
import { assertCoolingOffOver, isCoolingOff } from '../duties/cooling-off.ts'
import { applyProposal, assertNoConflict, hasConflict } from './apply-proposal.ts'
import { type AnyKind, baselineOf, fieldsOf, readProposal, readProposalSafely, sameJson, storedKind } from './proposal.ts'
import { expectedVersionOf } from './proposal-effect.ts'
import { verifyProposalMac } from './proposal-mac.ts'
import { endProposal, isExpired, statusOf } from './proposal-status.ts'
import { assertStart } from './submit-proposal.ts'
import { OTHER_BASELINE, lockApprovals, reschedule, topicOf } from './reschedule.ts'

export interface ProposalDecision {
  id: string
  reason?: string | undefined
  /** Version shown to the approver. */
  seen?: string | undefined
}

type StoredProposal = Pick<Selectable<StaffProposalTable>, 'public_id' | 'subject' | 'value' | 'reason' | 'base'>

/** Locks a proposal and checks the actor's right to decide its kind. */
async function lockProposal(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, id: string) {
  const row = await tx.selectFrom('staff_proposal').selectAll().where('public_id', '=', id).forUpdate().executeTakeFirst()
  const kind = row && storedKind(row.subject)
  if (row === undefined || kind === undefined) throw new AppError('NOT_FOUND')
  const right: StaffRight = `change.${kind.subject}`
  await assertStaff(tx, deps, actor, right)
  return { row, kind, right }
}

function assertPending(row: { status: string; created_at: Date }, now: Date): void {
  if (row.status === 'OUTDATED' || isExpired(row, now)) throw new AppError('CHANGE_OUTDATED')
  if (row.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
}

/**
 * Returns true if a person may not stop a proposal. A stored value of an unknown kind never takes effect, so anyone may stop such a
 * proposal.
 */
async function hasConflictStopping(tx: Tx, action: 'reject' | 'cancel', staffId: bigint, row: StoredProposal): Promise<boolean> {
  const proposal = readProposalSafely(row)
  return proposal !== undefined && hasConflict(tx, action, staffId, proposal, row.base)
}

/**
 * Approves a proposal: applies or schedules the change. No other function does so. Requires an approver without a link to the proposer,
 * the right of the proposer, an unchanged baseline, and the effect as shown to the approver [ASVS 2.3.5].
 * @returns its start; null if it is in force
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, FOUR_EYES, APPROVAL_FORGED, CHANGE_OUTDATED, SIMULATION_NEEDED, START_IN_PAST,
 * PRICE_STEP, and the codes of the proposal kind
 */
export async function approveProposal(tx: Tx, liveDeps: Deps, actor: StaffActor, decision: ProposalDecision): Promise<Date | null> {
  const deps = withFrozenClock(liveDeps)
  const now = deps.clock.now()
  await lockApprovals(tx)
  await assertStaff(tx, deps, actor, 'approveChange')
  const { row, kind, right } = await lockProposal(tx, deps, actor, decision.id)
  assertPending(row, now)
  if (!verifyProposalMac(deps.config, row)) throw new AppError('APPROVAL_FORGED')
  const first = { by: row.proposed_by, at: row.created_at }
  await assertMatchesLatestAuditEntry(tx, 'change', proposalSubject(decision.id), first)
  await assertNoConflictOfInterest(tx, [actor.memberId], [row.proposed_by])
  await assertCoolingOffOver(tx, now, [actor.memberId, row.proposed_by])
  const proposerRole = await roleWith(tx, deps, row.proposed_by, right)
  if (proposerRole === undefined) throw new AppError('CHANGE_OUTDATED')
  const startsAt = row.starts_at
  assertStart(startsAt, now)
  const proposal = readProposal(row)
  await assertNoConflict(tx, 'approve', actor.memberId, proposal, row.base)
  await assertNoConflict(tx, 'propose', row.proposed_by, proposal, row.base)
  if (!sameJson(await baselineOf(tx, deps, proposal, startsAt ?? now), row.base)) throw new AppError('CHANGE_OUTDATED')
  if (decision.seen !== undefined && decision.seen !== (await expectedVersionOf(tx, deps, row, proposal)))
    throw new AppError('CHANGE_OUTDATED')
  await kind.assertAllowed?.(tx, deps, proposal.value, startsAt)
  const simulation = await kind.simulation?.assertFresh(tx, now, proposal.value)
  await decide(tx, deps, row.id, 'APPROVED', actor, decision.reason)
  const deciders = { proposer: { memberId: row.proposed_by, role: proposerRole }, approverId: actor.memberId, proposalId: decision.id }
  if (startsAt === null) await applyProposal(tx, deps, proposal, deciders)
  const expired = await rescheduleTopicOf(tx, deps, row)
  if (expired.includes(decision.id)) throw new AppError('CHANGE_OUTDATED')
  await auditDecision(
    tx,
    deps,
    actor,
    'approve',
    { id: decision.id, reason: decision.reason, kind, expired },
    {
      before: row.base,
      after: row.value,
      ...(simulation === undefined ? {} : { simulation }),
      ...(startsAt === null ? {} : { startsAt: startsAt.toISOString() }),
    },
  )
  return startsAt
}

/**
 * Cancels a scheduled proposal before its start. One person is enough, because the current values stay. If the proposal would make a limit
 * stricter, the cancellation requires two people. Proposals that are based on the cancelled one expire.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED if it is not scheduled, FOUR_EYES for the first of two and for a proposal about
 * the actor's own or a linked account
 */
export async function cancelProposal(tx: Tx, deps: Deps, actor: StaffActor, decision: { id: string; reason: string }): Promise<void> {
  await lockApprovals(tx)
  await assertStaff(tx, deps, actor, 'cancelChange')
  const now = deps.clock.now()
  const { row, kind, right } = await lockProposal(tx, deps, actor, decision.id)
  if (statusOf(row, now) !== 'PLANNED') throw new AppError('ALREADY_DECIDED')
  if (await hasConflictStopping(tx, 'cancel', actor.memberId, row)) throw new AppError('FOUR_EYES')
  await endProposal(tx, row.id, { status: 'CANCELLED', at: now, by: actor.memberId, reason: decision.reason })
  const expired = await rescheduleTopicOf(tx, deps, row)
  const ended = [row, ...(await approvedAmong(tx, expired))]
  if (ended.some(cancelNeedsTwo)) await assertOtherCancelled(tx, deps, actor, { row, right, from: lastApprovalOf(ended) })
  await auditDecision(tx, deps, actor, 'cancel', { ...decision, kind, expired })
}

const cancelNeedsTwo = ({ subject, value, base }: Pick<StoredProposal, 'subject' | 'value' | 'base'>): boolean =>
  storedKind(subject)?.cancelNeedsTwo?.(fieldsOf(value), fieldsOf(base)) === true

/** Returns the proposals that two people had approved. A cancelled proposal also ends those that depend on it. */
const approvedAmong = (tx: Tx, publicIds: readonly string[]) =>
  publicIds.length === 0
    ? []
    : tx
        .selectFrom('staff_proposal')
        .select(['subject', 'value', 'base', 'decided_at'])
        .where('public_id', 'in', [...publicIds])
        .where('decided_by', 'is not', null)
        .execute()

/** Returns when the newest of some proposals was approved. */
const lastApprovalOf = (approved: readonly { decided_at: Date | null }[]): Date =>
  new Date(Math.max(...approved.map(({ decided_at: at }) => at?.getTime() ?? 0)))

/**
 * Rejects the first of two people who cancel a proposal. The audit log keeps the attempt for the second person's call. An attempt does not
 * count for a dependent proposal that was approved after it: its person did not know what would end.
 * @param from approval of the newest proposal that ends
 * @throws AppError FOUR_EYES until another person with the right has tried too
 */
async function assertOtherCancelled(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  { row, right, from }: { row: StoredProposal; right: StaffRight; from: Date },
): Promise<void> {
  const attempt = { subject: proposalSubject(row.public_id), action: APPROVAL_ACTIONS.change[3], outcome: 'FOUR_EYES', from }
  for (const other of await listActors(tx, attempt)) {
    if (await hasConflictOfInterest(tx, actor.memberId, [other])) continue
    if ((await roleWith(tx, deps, other, right)) === undefined || (await hasConflictStopping(tx, 'cancel', other, row))) continue
    if (!(await isCoolingOff(tx, deps.clock.now(), [actor.memberId, other]))) return
  }
  throw new AppError('FOUR_EYES')
}

/**
 * Rejects a pending proposal, or withdraws the actor's.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, CHANGE_OUTDATED, FOUR_EYES for a proposal about the actor's own or a
 * linked account
 */
export async function rejectProposal(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: ProposalDecision & { reason: string },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'rejectChange')
  const { row, kind } = await lockProposal(tx, deps, actor, decision.id)
  assertPending(row, deps.clock.now())
  if (await hasConflictStopping(tx, 'reject', actor.memberId, row)) throw new AppError('FOUR_EYES')
  await decide(tx, deps, row.id, 'REFUSED', actor, decision.reason)
  await auditDecision(tx, deps, actor, 'reject', { ...decision, kind, expired: [] })
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
    .updateTable('staff_proposal')
    .set({ status, decided_by: actor.memberId, decided_at: deps.clock.now(), decision_reason: reason ?? null })
    .where('id', '=', id)
    .execute()
}

async function rescheduleTopicOf(tx: Tx, deps: Deps, row: { subject: string; value: unknown; public_id: string }): Promise<string[]> {
  const topic = topicOf(row, row.public_id)
  const expired = topic === undefined ? [] : await reschedule(tx, deps, topic)
  await auditExpired(tx, deps, expired.map(proposalSubject), OTHER_BASELINE)
  return expired
}

/** Writes a decision's audit entry, for every kind. */
async function auditDecision(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  action: 'approve' | 'reject' | 'cancel',
  { id, reason, kind, expired }: { id: string; reason: string | undefined; kind: AnyKind; expired: readonly string[] },
  detail: Record<string, unknown> = {},
): Promise<void> {
  await auditStaff(tx, deps, actor, {
    action: `change.${action}`,
    subject: proposalSubject(id),
    reason,
    detail: { subject: kind.subject, ...detail, ...(expired.length === 0 ? {} : { outdated: expired }) },
  })
}
