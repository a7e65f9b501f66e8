import { sql } from 'kysely'
import { scaled } from '../../../http/calls/rate-limit.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { currentSettings } from '../../settings/index.ts'
import { auditStaff, type StaffAction, type StaffActor } from './actor.ts'
import { withSearchDigest } from './search-digest.ts'

/** Time in ms in which repeated reads of a page count as one view, because pages reload automatically. */
const SAME_VIEW_MS = 30 * 60_000

/** Number of rows in one page. A longer list counts as several pages. */
const PAGE_ROWS = 50

/** A view of members' personal data by staff (docs/decisions/0046-limits-for-personal-data.md). */
interface PersonalView {
  /** Identifies the page: a member, or a call with its input. */
  page: string
  isReveal: boolean
  /** Maximum rows of the page. */
  rows?: number | undefined
}

/** A view with its entry in the audit log. */
interface RecordedView {
  view: PersonalView
  entry: StaffAction
}

/** Returns the view of one member, by public id. All pages of the member count as one view. */
export const viewOfMember = (publicId: string): RecordedView => ({
  view: { page: `member ${publicId}`, isReveal: false },
  entry: { action: 'member.view', subject: { type: 'member', id: publicId } },
})

/**
 * Returns the view of a list or object, identified by the call and its input.
 * @param data the response; its rows count if the input has no limit, because such a list has up to 1,000 rows
 */
export function viewOfPage({ config }: Pick<Deps, 'config'>, call: string, input: { limit?: number }, data: unknown): RecordedView {
  const recorded = withSearchDigest(config, input)
  return {
    view: { page: `${call} ${JSON.stringify(recorded)}`, isReveal: false, rows: input.limit ?? rowsOf(data) },
    entry: { action: 'page.view', subject: { type: 'page', id: call }, detail: recorded },
  }
}

/** Returns the number of rows in a response: those of a list, or of the lists in an object. */
function rowsOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  if (typeof data !== 'object' || data === null) return 1
  return Object.values(data).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
}

/**
 * Records a view in the audit log [I17], once per continued view.
 * @throws AppError VIEW_LIMIT above the hourly limit, unless the same page was read within 30 minutes
 */
export async function recordView(db: Db, deps: Deps, actor: StaffActor, { view, entry }: RecordedView): Promise<void> {
  if (await isKnown(db, actor, view.page, deps.clock.now())) return
  const refusal = await inTransaction(db, async (tx) => {
    await lockViews(tx, actor)
    // The parts of a page are requested at the same time and count as one view.
    if (await isKnown(tx, actor, view.page, deps.clock.now())) return undefined
    const end = await countView(tx, deps, actor, view)
    if (end === undefined) await auditStaff(tx, deps, actor, entry)
    else await recordLimit(tx, deps, actor)
    return end
  })
  if (refusal !== undefined) throw limitError(refusal)
}

/**
 * Counts a reveal in the transaction of the use case, which also writes the audit entry.
 * @throws AppError VIEW_LIMIT above the hourly limit; the caller then calls `recordReachedLimit` after the rollback
 */
export async function countReveal(tx: Tx, deps: Deps, actor: StaffActor, call: string): Promise<void> {
  await lockViews(tx, actor)
  const end = await countView(tx, deps, actor, { page: `${call} ${deps.ids.publicId()}`, isReveal: true })
  if (end !== undefined) throw limitError(end)
}

/** Records that a person reached a limit: an audit entry, and the incident of the next check of the platform. */
export const recordReachedLimit = (db: Db, deps: Deps, actor: StaffActor): Promise<void> =>
  inTransaction(db, (tx) => recordLimit(tx, deps, actor))

const limitError = (end: Date) => new AppError('VIEW_LIMIT', { at: end.toISOString() })

/** Serializes a person's views, so that calls at once do not pass the limit. */
const lockViews = (tx: Tx, actor: StaffActor) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`personal views of ${actor.memberId}`}, 0))`.execute(tx)

async function isKnown(db: Db, actor: StaffActor, page: string, now: Date): Promise<boolean> {
  const known = await db
    .selectFrom('staff_view')
    .select('at')
    .where('member_id', '=', actor.memberId)
    .where('page', '=', page)
    .where('at', '>', new Date(now.getTime() - SAME_VIEW_MS))
    .executeTakeFirst()
  return known !== undefined
}

/**
 * Counts a view if the limit allows one.
 * @returns undefined, or the time from which the person may view more
 */
async function countView(tx: Tx, deps: Deps, { memberId }: StaffActor, { page, isReveal, rows }: PersonalView): Promise<Date | undefined> {
  const now = deps.clock.now()
  const settings = await currentSettings(tx, now)
  const perHour = isReveal ? settings.revealsPerHour : settings.personalPagesPerHour
  const { hits } = scaled(deps, { hits: perHour, windowMs: HOUR_MS })
  const pages = Math.min(hits, Math.max(1, Math.ceil((rows ?? 1) / PAGE_ROWS)))
  const found = await sql<{ used: number; oldest: Date | null }>`
    select coalesce(sum(pages), 0)::int as used, min(at) as oldest from staff_view
    where member_id = ${memberId} and is_reveal = ${isReveal} and at > ${new Date(now.getTime() - HOUR_MS)}
      and at > coalesce((select allowed_at from staff_view_limit where member_id = ${memberId}), '-infinity')`.execute(tx)
  const { used = 0, oldest } = found.rows[0] ?? {}
  if (used + pages > hits) return new Date((oldest ?? now).getTime() + HOUR_MS)
  await sql`insert into staff_view (member_id, page, pages, is_reveal, at) values (${memberId}, ${page}, ${pages}, ${isReveal}, ${now})
    on conflict (member_id, page) do update set pages = excluded.pages, at = excluded.at`.execute(tx)
  return undefined
}

/** Records a reached limit once an hour, and again after more views were allowed. */
async function recordLimit(tx: Tx, deps: Deps, actor: StaffActor): Promise<void> {
  const now = deps.clock.now()
  const { rows } = await sql<{ id: string }>`
    with reached as (
      insert into staff_view_limit as l (member_id, reached_at) values (${actor.memberId}, ${now})
      on conflict (member_id) do update set reached_at = excluded.reached_at
        where l.reached_at <= ${new Date(now.getTime() - HOUR_MS)} or l.reached_at <= l.allowed_at
      returning member_id)
    select m.public_id as id from reached r join member m on m.id = r.member_id`.execute(tx)
  const [person] = rows
  if (person === undefined) return
  const subject = { type: 'member', id: person.id }
  await auditStaff(tx, deps, actor, { action: 'view-limit', subject, outcome: 'VIEW_LIMIT' })
}

/** Time in ms after which a reached limit is no longer an incident. */
const INCIDENT_MS = 24 * HOUR_MS

/** Lists the staff who reached a limit within a day and were not allowed more views since. */
export async function reachedLimits(db: Db, now: Date): Promise<{ memberId: bigint; publicId: string; at: Date }[]> {
  const { rows } = await sql<{ memberId: bigint; publicId: string; at: Date }>`
    select m.id as "memberId", m.public_id as "publicId", l.reached_at as at from staff_view_limit l
    join member m on m.id = l.member_id
    where l.reached_at > ${new Date(now.getTime() - INCIDENT_MS)} and l.reached_at > coalesce(l.allowed_at, '-infinity')
    order by l.member_id`.execute(db)
  return rows
}
