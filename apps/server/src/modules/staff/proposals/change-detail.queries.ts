import type { ReplyOf } from '@tizara/contract'
import type * as wire from '@tizara/contract/staff-changes'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { type StaffActor, assertStaff } from '../access/actor.ts'
import { effectOf, markOf, readEffect, simulationFor } from './change-effect.ts'
import { asJson, baseFrom, type Change, holdsAt, readChange, sameJson } from './kinds/change-subjects.ts'
import { titleOf } from './kinds/change-title.ts'
import { rowsOf } from './changes.queries.ts'
import { openChanges, statusOf, topicOf } from './kinds/plan-changes.ts'
import { assertStart, startOf, tryOut, wholeChange } from './propose-change.ts'
import { personOf } from '../access/person.ts'
import { mayRole } from '../access/rights.ts'

type Detail = ReplyOf<typeof wire.staffChange>

/**
 * A change in full: what holds before it, what it does by the figures of now, and who else wants the same changed.
 * @throws AppError NOT_FOUND
 */
export async function readChangeDetail(db: Db, deps: Deps, viewer: Pick<Viewer, 'memberId' | 'role'>, id: string): Promise<Detail> {
  const now = deps.clock.now()
  const stored = await db.selectFrom('staff_change').selectAll().where('public_id', '=', id).executeTakeFirst()
  if (stored === undefined) throw new AppError('NOT_FOUND')
  const [row] = await rowsOf(db, [stored], viewer.memberId, now)
  if (row === undefined) throw new AppError('NOT_FOUND')
  const isOpen = row.status === 'PENDING'
  const change = isOpen ? readChange(stored) : undefined
  const startsAt = stored.starts_at
  const holds = change === undefined ? null : await holdsAt(db, deps, change, startsAt ?? now).catch(onlyRefused)
  const base = change === undefined ? null : baseFrom(change, holds)
  const effectNow = change === undefined ? null : await effectOf(db, deps, change, startsAt)
  const simulation = change === undefined ? undefined : await simulationFor(db, deps, change)
  const stale = isOpen && !sameJson(base, stored.base)
  const whyNot = whyNotOf(row, viewer, stale)
  return {
    ...row,
    holds: isOpen ? holds : stored.base,
    holdsSince: isOpen ? await heldSince(db, stored, now) : null,
    effect: readEffect(stored.effect),
    effectNow,
    seen: markOf(stored, base, effectNow, simulation?.hash),
    blocks: stale ? ['CHANGE_OUTDATED'] : change?.subject === 'programme' && simulation === undefined ? ['SIMULATION_NEEDED'] : [],
    ...(simulation === undefined ? {} : { simulation }),
    rivals: await rivalsOf(db, { subject: stored.subject, value: stored.value }, id, now),
    canDecide: whyNot === undefined,
    ...(whyNot === undefined ? {} : { whyNot }),
  }
}

const onlyRefused = (error: unknown): null => {
  if (error instanceof AppError) return null
  throw error
}

function whyNotOf(
  row: Pick<Detail, 'status' | 'mine' | 'aboutYou' | 'subject'>,
  viewer: Pick<Viewer, 'role'>,
  stale: boolean,
): Detail['whyNot'] {
  if (row.status !== 'PENDING') return 'DECIDED'
  if (!mayRole(viewer.role, `change.${row.subject}`)) return 'ROLE'
  if (row.mine || row.aboutYou === true) return 'OWN'
  return stale ? 'OUTDATED' : undefined
}

/** Since when what a change changes is as it is; null where no change made it so. */
async function heldSince(db: Db, { subject, value, public_id: id }: { subject: string; value: unknown; public_id: string }, now: Date) {
  const topic = topicOf({ subject, value }, id)
  const rows = await db
    .selectFrom('staff_change')
    .select(['public_id', 'subject', 'value', 'decided_at', 'starts_at'])
    .where('subject', '=', subject)
    .where('status', '=', 'APPROVED')
    .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  const keys = Object.keys(Object(value))
  const made = rows.find((row) => topicOf(row, row.public_id) === topic && keys.some((key) => Object.hasOwn(Object(row.value), key)))
  return made === undefined ? null : (made.starts_at ?? made.decided_at)
}

/** Other changes that are open and touch the same fields. */
export async function rivalsOf(db: Db, change: { subject: string; value: unknown }, id: string, now: Date): Promise<Detail['rivals']> {
  const topic = topicOf(change, id)
  if (topic === undefined) return []
  const wholly = topic !== 'settings' && topic !== 'programme'
  const keys = Object.keys(Object(change.value))
  const open = await openChanges(db, now).limit(500).execute()
  const rivals = open.filter(
    (row) =>
      row.public_id !== id &&
      topicOf(row, row.public_id) === topic &&
      (wholly || keys.some((key) => Object.hasOwn(Object(row.value), key))),
  )
  const people = await membersById(
    db,
    rivals.map((row) => row.proposed_by),
  )
  return rivals.map((row) => ({
    id: row.public_id,
    title: titleOf({ subject: row.subject, value: row.value, before: row.base }),
    status: statusOf(row, now),
    by: personOf(people.get(row.proposed_by)),
    startsAt: row.starts_at,
  }))
}

/**
 * What a change would do, without a trace.
 * @param tx a transaction that is taken back by nobody: the trial takes itself back
 * @throws AppError STAFF_ONLY, NOT_FOUND, START_IN_PAST
 */
export async function previewChange(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  wanted: Omit<Change, 'reason'>,
): Promise<ReplyOf<typeof wire.previewChange>> {
  const partial = { ...wanted, reason: 'preview' } as Change
  await assertStaff(tx, actor, `change.${partial.subject}`)
  const now = deps.clock.now()
  const startsAt = startOf(partial)
  assertStart(startsAt, now)
  const change = await wholeChange(tx, partial, startsAt ?? now)
  const holds = await holdsAt(tx, deps, change, startsAt ?? now)
  const before = baseFrom(change, holds)
  const value = asJson(change.value)
  const effect = await effectOf(tx, deps, change, startsAt)
  const { bound, error } = await tryOut(tx, deps, change, before, actor)
  return {
    rows: effect?.rows ?? [],
    restsOn: effect?.restsOn ?? '',
    hash: effect?.hash ?? '',
    at: now,
    title: titleOf({ subject: change.subject, value, before }),
    before,
    holds,
    blocks: error === undefined ? [] : [error.code],
    rivals: await rivalsOf(tx, { subject: change.subject, value }, '', now),
    ...(bound === undefined ? {} : { bound }),
  }
}
