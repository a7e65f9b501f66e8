import { staffRoles } from '@tizara/contract/staff'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PageRange } from '../../platform/db/paging.ts'
import type { AuditEventTable } from '../../platform/db/tables.generated.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'

/** Limit for counting rows: staff do not page further, and the audit log only grows. */
const MAX_COUNTED = 10_000

/** Rows that one search reads, with and without a match. No index serves a part of a text. */
const MAX_SEARCHED = 50_000

/** Parts of the log that a sample reads. */
const SAMPLES = 50

/** Milliseconds by which times can be out of the order of the ids, because server clocks differ. */
const CLOCKS_DIFFER_MS = DAY_MS

/** Actions that view personal data. */
const VIEWS = [
  'staff.member.view',
  'staff.page.view',
  'staff.member.reveal',
  'staff.member.image',
  'staff.member.view-as',
  'staff.member.export',
]

type AuditEvent = Selectable<AuditEventTable>

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
  /** Rows to read at most; default {@link MAX_SEARCHED}. */
  maxSearched?: number
}

/** Rows of the log from `from` to before `to`. */
interface IdRange {
  from: bigint
  to: bigint
}

/** Returns the first row at or after a moment by halving, in about 20 reads of the primary key. One id above the last row if none is. */
async function firstRowFrom(db: Db, at: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    with recursive half (low, high) as (
      select coalesce(min(id), 0), coalesce(max(id), 0) + 1 from audit_event
      union all
      select case when found.at < ${at} then middle + 1 else low end, case when found.at < ${at} then high else middle end
      from half cross join lateral (select (low + high) / 2 as middle) middle_of
        left join lateral (select at from audit_event where id >= middle order by id limit 1) found on true
      where low < high)
    select low as id from half where low >= high`.execute(db)
  return rows[0]?.id ?? 0n
}

/** Returns the ids of a period, with a day more on each side. Callers must therefore compare times too. */
async function idsOfPeriod(db: Db, { since, before }: PageRange): Promise<IdRange> {
  const edge = (at: Date, days: 1 | -1) => firstRowFrom(db, new Date(at.getTime() + days * CLOCKS_DIFFER_MS))
  const { rows } = await sql<{ from: bigint; to: bigint }>`
    select coalesce(min(id), 0) as from, coalesce(max(id), 0) + 1 as to from audit_event`.execute(db)
  const all = rows[0] ?? { from: 0n, to: 0n }
  return {
    from: since === undefined ? all.from : await edge(since, -1),
    to: before === undefined ? all.to : await edge(before, 1),
  }
}

/** Shortens a range to its newest rows. `rest` is the oldest of them if older ones are left. */
async function newestOf(db: Db, range: IdRange, max: number): Promise<{ range: IdRange; rest?: { id: bigint; at: Date } }> {
  const { rows } = await sql<{ id: bigint; at: Date }>`
    select e.id, e.at from (select id from audit_event where id >= ${range.from} and id < ${range.to}
      order by id desc offset ${max - 1} limit 2) edge join audit_event e on e.id = edge.id order by e.id desc`.execute(db)
  const [oldest, older] = rows
  return oldest === undefined || older === undefined ? { range } : { range: { from: oldest.id, to: range.to }, rest: oldest }
}

/** Selects the rows of a search within a table of audit events named `e`, with their actor as `m`. */
function matching(db: Db, source: RawBuilder<AuditEvent>, { pageRange, ...search }: AuditSearch) {
  let found = db.selectFrom(source.as('e')).leftJoin('member as m', 'm.id', 'e.actor_id')
  if (pageRange.since !== undefined) found = found.where('e.at', '>=', pageRange.since)
  if (pageRange.before !== undefined) found = found.where('e.at', '<', pageRange.before)
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

const rowsIn = ({ from, to }: IdRange) => sql<AuditEvent>`(select * from audit_event where id >= ${from} and id < ${to})`

const counting = sql<number>`count(*)::int`.as('total')

/**
 * Estimates the rows of a search from {@link SAMPLES} parts spread over its period. Exact for a period of at most 50,000 ids. The cost
 * does not depend on the length of the log.
 */
export async function estimateAudit(db: Db, search: AuditSearch): Promise<number> {
  const range = await idsOfPeriod(db, search.pageRange)
  const [width, read] = [Number(range.to - range.from), search.maxSearched ?? MAX_SEARCHED]
  const step = Math.max(1, Math.floor(width / SAMPLES))
  const part = Math.ceil(read / SAMPLES)
  // The limit keeps the planner from reading the whole log to find the parts.
  const source =
    width <= read
      ? rowsIn(range)
      : sql<AuditEvent>`(select part.* from generate_series(${range.from}::bigint, ${range.to}::bigint - 1, ${step}::bigint) start
          cross join lateral (select * from audit_event where id >= start and id < least(start + ${part}, ${range.to})
            order by id limit ${part}) part)`
  const { total } = await matching(db, source, search).select(counting).executeTakeFirstOrThrow()
  return width <= read ? total : Math.round((total * step) / part)
}

/**
 * Lists the audit log, newest first. A search reads at most 50,000 rows: no index serves a part of a text.
 * @returns the rows, their number in the newest 50,000 rows of the period, counted up to 10,000, and the row down to which the log was
 * searched if the page is not full and older rows are left; continue with `before` its id
 */
export async function listAudit(db: Db, search: AuditSearch) {
  const { pageRange, before, maxSearched = MAX_SEARCHED } = search
  const period = await idsOfPeriod(db, pageRange)
  const newest = await newestOf(db, period, maxSearched)
  const searched = before === undefined ? newest : await newestOf(db, { from: period.from, to: before }, maxSearched)
  const counted = matching(db, rowsIn(newest.range), search).select('e.id').limit(MAX_COUNTED)
  const { total } = await db.selectFrom(counted.as('some')).select(counting).executeTakeFirstOrThrow()
  const rows = await matching(db, rowsIn(searched.range), search)
    .select(['e.id', 'e.at', 'e.actor_role', 'e.action', 'e.subject_type', 'e.subject_id', 'e.reason', 'e.outcome', 'e.detail'])
    .select(['e.ip', 'e.request_id', 'e.hash', 'e.previous_hash', 'm.email', 'm.name'])
    .orderBy('e.id', 'desc')
    .limit(pageRange.limit)
    .offset(before === undefined ? pageRange.offset : 0)
    .execute()
  return { rows, total, searchedTo: rows.length < pageRange.limit ? searched.rest : undefined }
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
