import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff } from '../access/actor.ts'
import type { Deciders } from '../access/deciders.ts'
import { hasConflictOfInterest } from '../duties/conflict-of-interest.ts'
import { expireWorkOf } from './expire-proposals.ts'
import { kindOf, type Proposal } from './proposal.ts'
import type { ApplyResult } from './shared/proposal-kind.ts'

/** Staff actions on a proposal. `propose` and `approve` bring the proposal into force; `reject` and `cancel` prevent this. */
type ProposalAction = 'propose' | 'approve' | 'reject' | 'cancel'

/** Direction in which staff may act on a proposal about themselves. Such an action can only take from the person. */
const ALLOWED_DIRECTION = { propose: 'takes', approve: 'none', reject: 'gives', cancel: 'gives' } as const

/**
 * Returns true if a proposal concerns the staff member's own or a linked account. Actions that only take from the staff member are allowed.
 * One may propose the loss of one's own role or sessions, and may stop a proposal in one's own favour. The approver is always another
 * person.
 * @param before baseline as JSON
 */
export async function hasConflict(
  db: Db,
  action: ProposalAction,
  staffId: bigint,
  { subject, value }: Proposal,
  before: unknown,
): Promise<boolean> {
  const kind = kindOf(subject)
  const mayActOnSelf = kind.direction?.(value, before) === ALLOWED_DIRECTION[action]
  return hasConflictOfInterest(db, staffId, await kind.members(db, value), { mayActOnSelf })
}

/**
 * Rejects an action on a proposal about the staff member's own or a linked account.
 * @throws AppError FOUR_EYES
 */
export async function assertNoConflict(
  tx: Tx,
  action: ProposalAction,
  staffId: bigint,
  proposal: Proposal,
  before: unknown,
): Promise<void> {
  if (await hasConflict(tx, action, staffId, proposal, before)) throw new AppError('FOUR_EYES')
}

/**
 * Puts a proposal in force through its kind. Expires the work of a person who loses rights by it, and audits the changed
 * objects. The caller has checked the deciders.
 * @throws AppError with the codes of the proposal kind
 */
export async function applyProposal(tx: Tx, deps: Deps, { subject, value, reason }: Proposal, deciders: Deciders): Promise<void> {
  await completeApplied(tx, deps, await kindOf(subject).apply(tx, deps, value, { ...deciders, reason }), { ...deciders, reason })
}

/** Completes `applyProposal`, for the use case of a proposal kind that is called directly. */
export async function completeApplied(
  tx: Tx,
  deps: Deps,
  { audit = [], lostRights }: ApplyResult,
  { proposer, approverId, reason }: Deciders & { reason: string },
): Promise<void> {
  if (lostRights !== undefined) await expireWorkOf(tx, deps, lostRights)
  for (const { detail, ...entry } of audit)
    await auditStaff(tx, deps, proposer, {
      ...entry,
      reason,
      detail: { ...detail, ...(approverId === undefined ? {} : { approvedBy: String(approverId) }) },
    })
}
