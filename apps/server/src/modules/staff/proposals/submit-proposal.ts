import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS, withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { MaxGain } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { proposalSubject } from '../duties/approval-audit-match.ts'
import { applyProposal, assertNoConflict } from './apply-proposal.ts'
import { currentValueAt, kindOf, pickBaseline, type Proposal, sameJson, startOf, withoutId } from './proposal.ts'
import { effectOf, storedEffect } from './proposal-effect.ts'
import { proposalMac } from './proposal-mac.ts'
import { assertNotPending, assertPendingLimit, lockApprovals, reschedule, topicOf } from './reschedule.ts'
import { asJson } from './shared/as-json.ts'
import { currentMaxGain } from './shared/max-gain.ts'

/** Maximum time from now to the start, in ms. */
const HORIZON_MS = 366 * DAY_MS

/**
 * Rejects a start in the past.
 * @throws AppError START_IN_PAST; INVALID_INPUT if it is more than a year ahead
 */
export function assertStart(startsAt: Date | null, now: Date): void {
  if (startsAt === null) return
  if (startsAt <= now) throw new AppError('START_IN_PAST')
  if (startsAt.getTime() > now.getTime() + HORIZON_MS)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'startsAt', message: 'Must be within a year' }])
}

/**
 * Submits a proposal for the approval of another staff member. A dry run rejects a proposal that could not be approved.
 * @returns the proposal's public id, and the maximum group gain after the change, if it differs [RW-14]
 * @throws AppError STAFF_ONLY, START_IN_PAST, FOUR_EYES for a proposal about the proposer's own or a linked account, INVALID_INPUT if
 * nothing would change or the same proposal must not be pending twice, SIMULATION_NEEDED, and the error codes of the proposal kind
 */
export async function submitProposalWithMaxGain(
  tx: Tx,
  liveDeps: Deps,
  actor: StaffActor,
  input: Proposal,
): Promise<{ proposalId: string; maxGain: MaxGain | undefined }> {
  const deps = withFrozenClock(liveDeps)
  const kind = kindOf(input.subject)
  await assertStaff(tx, deps, actor, `change.${input.subject}`)
  const now = deps.clock.now()
  const startsAt = startOf(input)
  assertStart(startsAt, now)
  await assertPendingLimit(tx, kind, now)
  const proposal = await completeProposal(tx, input, startsAt ?? now)
  const baseline = pickBaseline(proposal, await currentValueAt(tx, deps, proposal, startsAt ?? now))
  await assertNoConflict(tx, 'propose', actor.memberId, proposal, baseline)
  const value = asJson(proposal.value)
  if (sameJson(withoutId(proposal, value), baseline))
    throw new AppError('INVALID_INPUT', {}, [{ path: 'value', message: 'Nothing would change' }])
  await kind.simulation?.assertProposable(tx, now, proposal.value, { hash: proposal.simulation, by: actor.memberId })
  const simulation = kind.simulation === undefined ? null : (proposal.simulation ?? null)
  const { maxGain, error } = await dryRun(tx, deps, proposal, baseline, actor)
  if (error !== undefined) throw error
  if (kind.isPendingOnce === true) await assertNotPending(tx, proposal.subject, value, now)
  const effect = await effectOf(tx, deps, proposal, startsAt)
  const publicId = deps.ids.publicId()
  const { subject, reason } = proposal
  const row = { public_id: publicId, subject, reason, proposed_by: actor.memberId, created_at: now, starts_at: startsAt, simulation }
  await tx
    .insertInto('staff_proposal')
    .values({
      ...row,
      value: JSON.stringify(value),
      base: JSON.stringify(baseline),
      effect: effect === null ? null : JSON.stringify(storedEffect(effect)),
      proposer_mac: proposalMac(deps.config, { ...row, value, base: baseline }),
    })
    .execute()
  await auditStaff(tx, deps, actor, {
    action: 'change.propose',
    subject: proposalSubject(publicId),
    reason,
    detail: {
      subject,
      before: baseline,
      after: value,
      ...(simulation === null ? {} : { simulation }),
      ...(startsAt === null ? {} : { startsAt: startsAt.toISOString() }),
    },
  })
  return { proposalId: publicId, maxGain }
}

/** Adds the omitted fields to a proposal if its kind is approved as a whole object and not field by field. */
export async function completeProposal(db: Db, proposal: Proposal, at: Date): Promise<Proposal> {
  const { subject, value } = proposal
  const completed = await kindOf(subject).complete?.(db, value, at)
  return completed === undefined ? proposal : ({ ...proposal, value: completed } as Proposal)
}

/**
 * Submits a proposal like `submitProposalWithMaxGain`.
 * @returns the proposal's public id
 */
export async function submitProposal(tx: Tx, deps: Deps, actor: StaffActor, proposal: Proposal): Promise<string> {
  return (await submitProposalWithMaxGain(tx, deps, actor, proposal)).proposalId
}

export interface DryRun {
  /** Maximum gain of a member group after the proposal, if the proposal can change it. */
  maxGain: MaxGain | undefined
  error: AppError | undefined
}

/** Applies or schedules a proposal in a savepoint and rolls it back. */
export async function dryRun(tx: Tx, deps: Deps, proposal: Proposal, baseline: unknown, proposer: StaffActor): Promise<DryRun> {
  const kind = kindOf(proposal.subject)
  const startsAt = startOf(proposal)
  await lockApprovals(tx)
  await sql`savepoint dry_run`.execute(tx)
  try {
    const notAllowed = await appErrorOf(kind.assertAllowed?.(tx, deps, proposal.value, startsAt))
    if (startsAt === null) await applyProposal(tx, deps, proposal, { proposer })
    const topic = topicOf(proposal, 'dry-run')
    if (topic !== undefined) await reschedule(tx, deps, topic, startsAt === null ? undefined : { proposal, startsAt, baseline })
    // An error of the dry run is thrown before this error, because contradictory values explain more.
    if (notAllowed !== undefined) throw notAllowed
    const maxGain = kind.affectsEarnings === true ? await currentMaxGain(tx, startsAt ?? deps.clock.now()) : undefined
    return { maxGain, error: undefined }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { maxGain: undefined, error }
  } finally {
    await sql`rollback to savepoint dry_run`.execute(tx)
  }
}

/** Returns the AppError that a check throws; undefined if it passes. */
const appErrorOf = async (check: Promise<void> | undefined): Promise<AppError | undefined> => {
  try {
    await check
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
