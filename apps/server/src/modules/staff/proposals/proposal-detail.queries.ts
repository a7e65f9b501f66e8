import type { ReplyOf } from '@tizara/contract'
import type * as wire from '@tizara/contract/staff-changes'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberByEmail, membersById } from '../../members/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { personOf } from '../access/person.ts'
import { mayRole } from '../access/rights.ts'
import { staffLinkedTo } from '../duties/staff-links.ts'
import { hasConflict } from './apply-proposal.ts'
import {
  currentValueAt,
  kindOf,
  orNull,
  pickBaseline,
  type Proposal,
  readProposal,
  sameJson,
  startOf,
  storedKind,
  titleOf,
} from './proposal.ts'
import { effectOf, newestSimulationOf, readEffect, versionOf } from './proposal-effect.ts'
import { openProposals, statusOf } from './proposal-status.ts'
import { rowsOf } from './proposals.queries.ts'
import { assertStart, completeProposal, dryRun } from './submit-proposal.ts'
import { sameTopic, subjectsOf, topicOf } from './reschedule.ts'
import { asJson } from './shared/as-json.ts'

type Detail = ReplyOf<typeof wire.staffChange>

/**
 * Reads a full proposal: current values, today's effect, and open proposals for the same object.
 * @throws AppError NOT_FOUND
 */
export async function readProposalDetail(db: Db, deps: Deps, viewer: Pick<Viewer, 'memberId' | 'role'>, id: string): Promise<Detail> {
  const now = deps.clock.now()
  const stored = await db.selectFrom('staff_proposal').selectAll().where('public_id', '=', id).executeTakeFirst()
  if (stored === undefined) throw new AppError('NOT_FOUND')
  const [row] = await rowsOf(db, [stored], viewer.memberId, now)
  if (row === undefined) throw new AppError('NOT_FOUND')
  const open = row.status === 'PENDING' ? await readOpen(db, deps, stored, viewer.memberId) : undefined
  const whyNot = whyNotOf(row, viewer, open)
  return {
    ...row,
    ...(open?.isOwn === true ? { aboutYou: true } : {}),
    current: open === undefined ? stored.base : open.current,
    currentSince: open === undefined ? null : await currentSince(db, stored, now),
    effect: readEffect(stored.effect),
    effectNow: open?.effect ?? null,
    ...(open?.coverage === undefined ? {} : { coverage: open.coverage }),
    seen: versionOf(stored, open?.baseline ?? null, open?.effect ?? null, open?.simulation?.hash),
    blocks: open?.isStale === true ? ['CHANGE_OUTDATED'] : open?.needsSimulation === true ? ['SIMULATION_NEEDED'] : [],
    ...(open === undefined || open.linked.length === 0 ? {} : { linkedStaff: open.linked.map(personOf) }),
    ...(open?.simulation === undefined ? {} : { simulation: open.simulation }),
    overlaps: await overlapsOf(db, { subject: stored.subject, value: stored.value }, id, now),
    canDecide: whyNot === undefined,
    ...(whyNot === undefined ? {} : { whyNot }),
  }
}

/** Lists the staff linked to the account that gets a role. */
async function linkedStaffOf(db: Db, email: string) {
  const holder = await memberByEmail(db, email)
  return holder === undefined ? [] : staffLinkedTo(db, holder.id)
}

/** Reads the data that an approver of a pending proposal must see. */
async function readOpen(
  db: Db,
  deps: Deps,
  stored: Parameters<typeof readProposal>[0] & { starts_at: Date | null; base: unknown },
  staffId: bigint,
) {
  const proposal = readProposal(stored)
  const startsAt = stored.starts_at
  const current = await orNull(currentValueAt(db, deps, proposal, startsAt ?? deps.clock.now()))
  const baseline = pickBaseline(proposal, current)
  const simulation = await newestSimulationOf(db, deps, proposal)
  return {
    current,
    baseline,
    effect: await effectOf(db, deps, proposal, startsAt),
    coverage: await kindOf(proposal.subject).coverage?.(db, proposal.value, deps.clock.now()),
    simulation,
    linked: proposal.subject === 'staff' ? await linkedStaffOf(db, proposal.value.email) : [],
    needsSimulation: kindOf(proposal.subject).simulation !== undefined && simulation === undefined,
    isStale: !sameJson(baseline, stored.base),
    isOwn: await hasConflict(db, 'approve', staffId, proposal, stored.base),
  }
}

function whyNotOf(
  row: Pick<Detail, 'mine' | 'subject'>,
  viewer: Pick<Viewer, 'role'>,
  open: { isOwn: boolean; isStale: boolean } | undefined,
): Detail['whyNot'] {
  if (open === undefined) return 'DECIDED'
  if (!mayRole(viewer.role, `change.${row.subject}`)) return 'ROLE'
  if (row.mine || open.isOwn) return 'OWN'
  return open.isStale ? 'OUTDATED' : undefined
}

/** Returns the current value's start; null if no proposal set it. */
async function currentSince(db: Db, { subject, value, public_id: id }: { subject: string; value: unknown; public_id: string }, now: Date) {
  const topic = topicOf({ subject, value }, id)
  const rows = await db
    .selectFrom('staff_proposal')
    .select(['public_id', 'subject', 'value', 'decided_at', 'starts_at'])
    .where('subject', 'in', topic === undefined ? [subject] : subjectsOf(topic))
    .where('status', '=', 'APPROVED')
    .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  const keys = Object.keys(Object(value))
  const creation = rows.find(
    (row) => sameTopic(topicOf(row, row.public_id), topic) && keys.some((key) => Object.hasOwn(Object(row.value), key)),
  )
  return creation === undefined ? null : (creation.starts_at ?? creation.decided_at)
}

/** Lists other open proposals for the same fields. */
export async function overlapsOf(db: Db, change: { subject: string; value: unknown }, id: string, now: Date): Promise<Detail['overlaps']> {
  const topic = topicOf(change, id)
  if (topic === undefined) return []
  const isWhole = storedKind(change.subject)?.baseline === 'all-fields'
  const keys = Object.keys(Object(change.value))
  const open = await openProposals(db, now).limit(500).execute()
  const overlaps = open.filter(
    (row) =>
      row.public_id !== id &&
      sameTopic(topicOf(row, row.public_id), topic) &&
      (isWhole || keys.some((key) => Object.hasOwn(Object(row.value), key))),
  )
  const people = await membersById(
    db,
    overlaps.map((row) => row.proposed_by),
  )
  return overlaps.map((row) => ({
    id: row.public_id,
    title: titleOf({ subject: row.subject, value: row.value, before: row.base }),
    status: statusOf(row, now),
    by: personOf(people.get(row.proposed_by)),
    startsAt: row.starts_at,
  }))
}

/**
 * Computes a draft proposal's effect.
 * @param tx a transaction; the dry run rolls itself back
 * @throws AppError STAFF_ONLY, NOT_FOUND, START_IN_PAST
 */
export async function previewProposal(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: Omit<Proposal, 'reason'>,
): Promise<ReplyOf<typeof wire.previewChange>> {
  const partial = { ...input, reason: 'preview' } as Proposal
  await assertStaff(tx, deps, actor, `change.${partial.subject}`)
  const now = deps.clock.now()
  const startsAt = startOf(partial)
  assertStart(startsAt, now)
  const proposal = await completeProposal(tx, partial, startsAt ?? now)
  const current = await currentValueAt(tx, deps, proposal, startsAt ?? now)
  const before = pickBaseline(proposal, current)
  const value = asJson(proposal.value)
  const effect = await effectOf(tx, deps, proposal, startsAt)
  const coverage = await kindOf(proposal.subject).coverage?.(tx, proposal.value, now)
  const { maxGain, error } = await dryRun(tx, deps, proposal, before, actor)
  return {
    rows: effect?.rows ?? [],
    basedOn: effect?.basedOn ?? '',
    hash: effect?.hash ?? '',
    ...(coverage === undefined ? {} : { coverage }),
    at: now,
    title: titleOf({ subject: proposal.subject, value, before }),
    before,
    current,
    blocks: error === undefined ? [] : [error.code],
    ...omitUndefined({ blockText: error?.fieldErrors[0]?.message ?? error?.message }),
    overlaps: await overlapsOf(tx, { subject: proposal.subject, value }, '', now),
    ...(maxGain === undefined ? {} : { maxGain }),
  }
}
