import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Bound } from '../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'
import { applyChange } from './apply-change.ts'
import { asJson, baseOf, type Change, sameJson } from './change-subjects.ts'
import { currentBound } from './current-bound.ts'

/** What decides how much coin can earn. */
const BOUNDED: ReadonlySet<Change['subject']> = new Set(['price', 'settings', 'plan', 'nft', 'programme'])

/**
 * Proposes a change for another member of staff to approve. It is tried out and taken back, so that what could never be
 * approved is refused at once.
 * @returns the change's id on the wire, and what a group could take out under it where it changes that (RW-14)
 * @throws AppError STAFF_ONLY, INVALID_INPUT when nothing would change, and whatever putting it in force would throw
 */
export async function proposeWithBound(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  change: Change,
): Promise<{ changeId: string; bound: Bound | undefined }> {
  await assertStaff(tx, actor, `change.${change.subject}`)
  const base = await baseOf(tx, deps, change)
  const value = asJson(change.value)
  if (sameJson(withoutIds(value), base)) throw new AppError('INVALID_INPUT', {}, [{ path: 'value', message: 'Nothing would change' }])
  const bound = await tryOut(tx, deps, change, actor)
  const publicId = deps.ids.publicId()
  await tx
    .insertInto('staff_change')
    .values({
      public_id: publicId,
      subject: change.subject,
      value: JSON.stringify(value),
      base: JSON.stringify(base),
      reason: change.reason,
      proposed_by: actor.memberId,
      created_at: deps.clock.now(),
    })
    .execute()
  await auditStaff(tx, deps, actor, {
    action: 'change.propose',
    subject: { type: 'change', id: publicId },
    reason: change.reason,
    detail: { subject: change.subject, before: base, after: value },
  })
  return { changeId: publicId, bound }
}

/** A change of a plan or NFT names it; the base does not. */
function withoutIds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'planId' && key !== 'nftId'))
}

/**
 * The same without the bound.
 * @returns the change's id on the wire
 */
export async function proposeChange(tx: Tx, deps: Deps, actor: StaffActor, change: Change): Promise<string> {
  return (await proposeWithBound(tx, deps, actor, change)).changeId
}

async function tryOut(tx: Tx, deps: Deps, change: Change, maker: StaffActor): Promise<Bound | undefined> {
  await sql`savepoint trial`.execute(tx)
  try {
    await applyChange(tx, deps, change, { maker })
    return BOUNDED.has(change.subject) ? await currentBound(tx, deps.clock.now()) : undefined
  } finally {
    await sql`rollback to savepoint trial`.execute(tx)
  }
}
