import { staffRoles } from '@tizara/contract/staff'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PageRange } from '../../platform/db/paging.ts'

/** Limit for counting rows: staff do not page further, and the audit log only grows. */
const MAX_COUNTED = 10_000

/** Actions that view personal data. */
const VIEWS = [
  'staff.member.view',
  'staff.page.view',
  'staff.member.reveal',
  'staff.member.image',
  'staff.member.view-as',
  'staff.member.export',
]

/** Search criteria for the audit log. */
export interface AuditSearch {
  /** Part of the actor's name or address, the action or the subject; blank matches everything. */
  text: string
  pageRange: PageRange
  /** Rows by staff, by members and visitors, or by the system. */
  who?: 'staff' | 'member' | 'system' | undefined
  /** Staff decisions, staff views, or refusals to any actor. */
  kind?: 'decision' | 'view' | 'refused' | undefined
  /** Only rows before this id, so that the cost of a page does not depend on the length of the log. */
  before?: bigint | undefined
}

/** Selects the rows of a search, with their actor as `m`. `scan` limits the rows of the period that are read, with and without a match. */
function rowsOf(db: Db, { pageRange, ...search }: Omit<AuditSearch, 'before'>, scan?: number) {
  let read = db.selectFrom('audit_event').selectAll()
  if (pageRange.since !== undefined) read = read.where('at', '>=', pageRange.since)
  if (pageRange.before !== undefined) read = read.where('at', '<', pageRange.before)
  if (scan !== undefined) read = read.limit(scan)
  let found = db.selectFrom(read.as('e')).leftJoin('member as m', 'm.id', 'e.actor_id')
  if (search.text !== '') {
    const pattern = `%${search.text.replace(/[\\%_]/g, '\\$&')}%`
    found = found.where((eb) =>
      eb.or([
        eb('e.action', 'ilike', pattern),
        eb('e.subject_id', 'ilike', pattern),
        eb('e.subject_type', 'ilike', pattern),
        eb('e.reason', 'ilike', pattern),
        eb('m.email', 'ilike', pattern),
        eb('m.name', 'ilike', pattern),
      ]),
    )
  }
  if (search.who === 'staff') found = found.where('e.actor_role', 'in', [...staffRoles])
  if (search.who === 'member') found = found.where('e.actor_role', 'in', ['MEMBER', 'VISITOR'])
  if (search.who === 'system') found = found.where('e.actor_role', '=', 'SYSTEM')
  if (search.kind === 'refused') found = found.where('e.outcome', '<>', 'ok')
  if (search.kind === 'view') found = found.where('e.action', 'in', VIEWS)
  if (search.kind === 'decision')
    found = found.where('e.action', 'like', 'staff.%').where('e.action', 'not in', VIEWS).where('e.outcome', '=', 'ok')
  return found
}

const counting = sql<number>`count(*)::int`.as('total')

/** Counts the rows of a search among as many rows of its period. The cost is bounded even if few rows match. */
export async function countAudit(db: Db, search: Omit<AuditSearch, 'before'>, scan: number): Promise<number> {
  const { total } = await rowsOf(db, search, scan).select(counting).executeTakeFirstOrThrow()
  return total
}

/**
 * Lists the audit log, newest first.
 * @returns the rows, and their number, counted up to 10,000
 */
export async function listAudit(db: Db, search: AuditSearch) {
  const { pageRange, before } = search
  let found = rowsOf(db, search)
  const { total } = await db.selectFrom(found.select('e.id').limit(MAX_COUNTED).as('some')).select(counting).executeTakeFirstOrThrow()
  if (before !== undefined) found = found.where('e.id', '<', before)
  const rows = await found
    .select(['e.id', 'e.at', 'e.actor_role', 'e.action', 'e.subject_type', 'e.subject_id', 'e.reason', 'e.outcome', 'e.detail'])
    .select(['e.ip', 'e.request_id', 'e.hash', 'e.previous_hash', 'm.email', 'm.name'])
    .orderBy('e.id', 'desc')
    .limit(pageRange.limit)
    .offset(before === undefined ? pageRange.offset : 0)
    .execute()
  return { rows, total }
}

/**
 * Lists actions since a moment, by an actor or on some members.
 * @param input the actor (null for none) and the members
 */
export async function listActionsByOrOn(
  db: Db,
  input: { actorId: bigint | null; memberIds: readonly bigint[]; action: string; since: Date },
): Promise<{ actorId: bigint | null; subjectId: string | null; detail: unknown }[]> {
  const { rows } = await sql<{ actorId: bigint | null; subjectId: string | null; detail: unknown }>`
    select actor_id as "actorId", subject_id as "subjectId", detail from audit_event
    where (actor_id = ${input.actorId} or (subject_type = 'member' and subject_id = any(${input.memberIds.map(String)}::text[])))
      and action = ${input.action} and outcome = 'ok' and at > ${input.since}`.execute(db)
  return rows
}

/** Returns when an action last applied to any of some members, by public id; undefined if never since the moment. */
export async function lastActionTime(
  db: Db,
  { memberIds, action, since }: { memberIds: readonly string[]; action: string; since: Date },
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from audit_event where subject_type = 'member' and subject_id = any(${memberIds}::text[])
      and action = ${action} and outcome = 'ok' and at > ${since}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Returns true if an action with this prefix ever succeeded. The audit log is never pruned. */
export async function wasEverAudited(db: Db, actionStart: string): Promise<boolean> {
  const found = db.selectFrom('audit_event').select('id').where('action', 'like', `${actionStart}%`).where('outcome', '=', 'ok')
  return (await found.limit(1).executeTakeFirst()) !== undefined
}

/** Search criteria for the actors of an action. */
interface ActorSearch {
  subject: { type: string; id: string }
  action: string
  outcome: string
  /** Fields that the entries have. */
  detail?: Record<string, string>
  /** Only entries from this moment on. */
  from?: Date | undefined
}

/** Lists who took an action with an outcome on a subject. */
export async function listActors(db: Db, { subject, action, outcome, detail = {}, from }: ActorSearch): Promise<bigint[]> {
  let found = db
    .selectFrom('audit_event')
    .select('actor_id')
    .distinct()
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', subject.id)
    .where('action', '=', action)
    .where('outcome', '=', outcome)
    .where(sql<boolean>`detail @> ${JSON.stringify(detail)}::jsonb`)
  if (from !== undefined) found = found.where('at', '>=', from)
  const rows = await found.execute()
  return rows.flatMap(({ actor_id: id }) => (id === null ? [] : [id]))
}

/** Lists when an action was taken after a moment, in order. */
export async function listActionTimes(db: Db, { action, after }: { action: string; after: Date }): Promise<Date[]> {
  const found = db.selectFrom('audit_event').select('at').where('action', '=', action).where('outcome', '=', 'ok')
  return (await found.where('at', '>', after).orderBy('at').execute()).map(({ at }) => at)
}

/** Returns the reason for an actor's latest action on a subject; undefined if none was given. */
export async function latestReason(
  db: Db,
  input: { subject: { type: string; id: string }; action: string; actorId: bigint },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_event')
    .select('reason')
    .where('subject_type', '=', input.subject.type)
    .where('subject_id', '=', input.subject.id)
    .where('action', '=', input.action)
    .where('actor_id', '=', input.actorId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.reason === null || row?.reason === '' ? undefined : row?.reason
}

/** Reads the latest among some actions on a subject from the audit log. */
export function latestActionOn(db: Db, subject: { type: string; id: string }, actions: readonly string[]) {
  return db
    .selectFrom('audit_event')
    .select(['action', 'actor_id', 'at'])
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', subject.id)
    .where('action', 'in', actions)
    .where('outcome', '=', 'ok')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lists an actor's latest actions, newest first. */
export function latestActions(db: Db, actorId: bigint, max: number) {
  return db
    .selectFrom('audit_event')
    .select(['at', 'action', 'outcome'])
    .where('actor_id', '=', actorId)
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

/** Lists a member's own actions, newest first, before a row. */
export function listActionsBy(db: Db, actorId: bigint, { before, limit }: { before?: bigint | undefined; limit: number }) {
  let found = db.selectFrom('audit_event').select(['id', 'at', 'action', 'outcome', 'ip']).where('actor_id', '=', actorId)
  if (before !== undefined) found = found.where('id', '<', before)
  return found.orderBy('id', 'desc').limit(limit).execute()
}

/** Counts the actions of an actor, up to a maximum. */
export async function countActionsBy(db: Db, actorId: bigint, max: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from audit_event where actor_id = ${actorId} limit ${max}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists staff actions on a subject, newest first, before a row. */
export function listStaffActionsOn(
  db: Db,
  subject: { type: string; id: string },
  { before, limit }: { before?: bigint | undefined; limit: number },
) {
  let found = db
    .selectFrom('audit_event')
    .select(['id', 'at', 'action', 'outcome', 'reason', 'actor_id'])
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', subject.id)
    .where(sql<boolean>`action like 'staff.%'`)
  if (before !== undefined) found = found.where('id', '<', before)
  return found.orderBy('id', 'desc').limit(limit).execute()
}

/** Lists staff actions on some subjects, newest first, before a row, at most ten each. */
export async function listStaffActionsOnMany(
  db: Db,
  subjects: readonly { type: string; id: string }[],
  { before, limit }: { before?: bigint | undefined; limit: number },
) {
  const { rows } = await sql<{
    id: bigint
    at: Date
    action: string
    outcome: string
    reason: string | null
    actor_id: bigint | null
    subject_id: string
  }>`
    select e.id, e.at, e.action, e.outcome, e.reason, e.actor_id, e.subject_id
    from unnest(${subjects.map((one) => one.type)}::text[], ${subjects.map((one) => one.id)}::text[]) s (type, id)
    cross join lateral (select * from audit_event a where a.subject_type = s.type and a.subject_id = s.id
      and a.outcome = 'ok' ${before === undefined ? sql`` : sql`and a.id < ${before}`} order by a.id desc limit 10) e
    where e.action like 'staff.%' order by e.id desc limit ${limit}`.execute(db)
  return rows
}
