import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock, DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertProgramme, type Bound } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { applyChange } from './kinds/apply-change.ts'
import { effectOf, storedEffect } from './change-effect.ts'
import { asJson, baseFrom, type Change, holdsAt, programmeValues, sameJson, withoutIds } from './kinds/change-subjects.ts'
import { currentBound } from './kinds/current-bound.ts'
import { given } from '../access/given.ts'
import { assertSimulated, draftAt } from './kinds/programme-simulation.ts'
import { makerSeal } from './kinds/maker-seal.ts'
import { assertTold } from './kinds/price-step.ts'
import { assertRoomToPropose, queueForApproval, replan, topicOf } from './kinds/plan-changes.ts'

/** What decides how much coin can earn. */
const BOUNDED: ReadonlySet<Change['subject']> = new Set(['price', 'settings', 'plan', 'nft', 'programme'])

/** How far ahead a change may begin. */
const HORIZON_MS = 366 * DAY_MS

/** When a change is to begin; null: on approval. */
export const startOf = (change: Change): Date | null => ('startsAt' in change ? (change.startsAt ?? null) : null)

/**
 * Refuses a start that is not to come.
 * @throws AppError START_IN_PAST, INVALID_INPUT when it is more than a year ahead
 */
export function assertStart(startsAt: Date | null, now: Date): void {
  if (startsAt === null) return
  if (startsAt <= now) throw new AppError('START_IN_PAST')
  if (startsAt.getTime() > now.getTime() + HORIZON_MS)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'startsAt', message: 'Must be within a year' }])
}

/**
 * Proposes a change for another member of staff to approve. It is tried out and taken back, so that what could never be
 * approved is refused at once.
 * @returns the change's id on the wire, and what a group could take out under it where it changes that (RW-14)
 * @throws AppError STAFF_ONLY, START_IN_PAST, INVALID_INPUT when nothing would change, and whatever putting it in force would
 *   throw
 */
export async function proposeWithBound(
  tx: Tx,
  surroundings: Deps,
  actor: StaffActor,
  wanted: Change,
): Promise<{ changeId: string; bound: Bound | undefined }> {
  const deps = withFrozenClock(surroundings)
  await assertStaff(tx, actor, `change.${wanted.subject}`)
  const now = deps.clock.now()
  const startsAt = startOf(wanted)
  assertStart(startsAt, now)
  await assertRoomToPropose(tx, wanted.subject, now)
  const change = await wholeChange(tx, wanted, startsAt ?? now)
  const base = baseFrom(change, await holdsAt(tx, deps, change, startsAt ?? now))
  const value = asJson(change.value)
  if (sameJson(withoutIds(value), base)) throw new AppError('INVALID_INPUT', {}, [{ path: 'value', message: 'Nothing would change' }])
  const simulation = await simulationOf(tx, now, change, actor)
  const { bound, error } = await tryOut(tx, deps, change, base, actor)
  if (error !== undefined) throw error
  const effect = await effectOf(tx, deps, change, startsAt)
  const publicId = deps.ids.publicId()
  const { subject, reason } = change
  const proposed = { public_id: publicId, subject, reason, proposed_by: actor.memberId, created_at: now, starts_at: startsAt, simulation }
  await tx
    .insertInto('staff_change')
    .values({
      ...proposed,
      value: JSON.stringify(value),
      base: JSON.stringify(base),
      effect: effect === null ? null : JSON.stringify(storedEffect(effect)),
      maker_seal: makerSeal(deps.config, { ...proposed, value, base }),
    })
    .execute()
  await auditStaff(tx, deps, actor, {
    action: 'change.propose',
    subject: { type: 'change', id: publicId },
    reason: change.reason,
    detail: {
      subject: change.subject,
      before: base,
      after: value,
      ...(simulation === null ? {} : { simulation }),
      ...(startsAt === null ? {} : { startsAt: startsAt.toISOString() }),
    },
  })
  return { changeId: publicId, bound }
}

/**
 * A change of the programme with everything that it leaves out: it was simulated as a whole, and rests on the whole.
 */
export async function wholeChange(db: Db, change: Change, at: Date): Promise<Change> {
  if (change.subject !== 'programme') return change
  return { ...change, value: { ...(await programmeValues(db, at)).rules, ...given(change.value) } }
}

/** The simulation that a change stands on; null where it needs none. */
async function simulationOf(tx: Tx, now: Date, change: Change, actor: StaffActor): Promise<string | null> {
  if (change.subject !== 'programme') return null
  const hash = 'simulation' in change ? change.simulation : undefined
  await assertSimulated(tx, now, await draftAt(tx, change.value, now), { hash, by: actor.memberId })
  return hash ?? null
}

/**
 * The same without the bound.
 * @returns the change's id on the wire
 */
export async function proposeChange(tx: Tx, deps: Deps, actor: StaffActor, change: Change): Promise<string> {
  return (await proposeWithBound(tx, deps, actor, change)).changeId
}

/** What a change would lead to. */
export interface Trial {
  /** What a group could take out under it, where it changes that. */
  bound: Bound | undefined
  /** What refuses it. */
  error: AppError | undefined
}

/** Puts a change in force, or plans it, and takes that back. */
export async function tryOut(tx: Tx, deps: Deps, change: Change, base: unknown, maker: StaffActor): Promise<Trial> {
  const startsAt = startOf(change)
  await queueForApproval(tx)
  await sql`savepoint trial`.execute(tx)
  try {
    if (startsAt === null) await applyChange(tx, deps, change, { maker })
    else await assertPlannable(tx, deps, change, startsAt)
    const topic = topicOf(change, 'tried')
    if (topic !== undefined) await replan(tx, deps, topic, startsAt === null ? undefined : { change, startsAt, base })
    await assertTold(tx, change, startsAt, deps.clock.now())
    return { bound: BOUNDED.has(change.subject) ? await currentBound(tx, startsAt ?? deps.clock.now()) : undefined, error: undefined }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { bound: undefined, error }
  } finally {
    await sql`rollback to savepoint trial`.execute(tx)
  }
}

/**
 * What a planned change has to be besides what its figures are checked for.
 * @throws AppError NOT_COVERED, INVALID_INPUT for a programme
 */
export async function assertPlannable(tx: Tx, deps: Pick<Deps, 'clock'>, change: Change, startsAt: Date): Promise<void> {
  if (change.subject === 'programme') await assertProgramme(tx, { rules: given(change.value), startsAt, at: deps.clock.now() })
}
