import { changeSubjects } from '@tizara/contract/staff-changes'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { MAX_PLANNED_SETTINGS } from '../../../settings/index.ts'
import { asJson, baseFrom, baseOf, type Change, holdsAt, readChange, sameJson, withoutIds } from './change-subjects.ts'
import { type Planned, schedule } from './schedule-changes.ts'

/** Key of the lock that orders approvals: two changes of one value must not both be based on what held before. */
const APPROVAL_LOCK = 1_702_257_012

/** Takes part in the one queue of what puts changes in force or takes them back, until the transaction ends. */
export async function queueForApproval(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPROVAL_LOCK})`.execute(tx)
}

/** A change that is tried as if it were planned. */
export interface Tried {
  change: Change
  startsAt: Date
  base: unknown
}

/**
 * What a change is about, so that others about the same touch it: the settings, the programme, the announcement, one plan
 * or NFT; undefined where nothing can be planned.
 * @param publicId the change's id on the wire, which a plan or NFT that it is to make has too
 */
export function topicOf({ subject, value }: { subject: string; value: unknown }, publicId: string): string | undefined {
  const named = (key: string): string => {
    const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
    return typeof id === 'string' ? id : publicId
  }
  const known = changeSubjects.find((one) => one === subject)
  switch (known) {
    case 'price':
    case 'settings':
    case 'limits':
      return 'settings'
    case 'programme':
    case 'popup':
      return known
    case 'plan':
      return `plan ${named('planId')}`
    case 'nft':
      return `nft ${named('nftId')}`
    case 'cover':
    case 'credit':
    case 'fund':
    case 'undo':
    case 'cancel-rewards':
    case 'reversal':
    case 'chain-answer':
    case 'staff':
    case 'status':
    case 'special':
    case 'rank':
    case 'sessions':
    case 'second-factor':
    case 'lift-stop':
    case undefined:
      return undefined
  }
}

/**
 * Makes what is to come follow from what holds now and from what is planned, and lets fall what rests on something else:
 * planned and proposed changes of the topic whose base is not what holds before their start. Whatever puts a change in
 * force, plans it or takes it back ends with it, in a transaction that has taken the queue's lock.
 * @param tried one more that is taken as planned; the caller takes everything back
 * @returns the ids on the wire of the changes that fell
 * @throws AppError when what is planned contradicts itself: CONVERT_RATE_TOO_LOW, INVALID_INPUT; CHANGE_OUTDATED when the one that
 *   is tried would fall
 */
export async function replan(tx: Tx, deps: Deps, topic: string, tried?: Tried): Promise<string[]> {
  const now = deps.clock.now()
  const kept: Planned[] = []
  const fallen: string[] = []
  let holds: unknown
  const rows = await openRows(tx, topic, 'planned', now)
  for (const row of tried === undefined ? rows : withTried(rows, tried)) {
    const change = readSafely(row)
    if (kept.length === 0 && change !== undefined) holds = await orUndefined(() => holdsAt(tx, deps, change, now))
    if (change !== undefined && row.starts_at !== null && sameJson(baseFrom(change, holds), row.base)) {
      kept.push({ publicId: row.public_id, startsAt: row.starts_at, change, decidedBy: row.decided_by })
      holds = { ...(holds as object | null), ...withoutIds(asJson(change.value)) }
    } else if (row.id === TRIED) throw new AppError('CHANGE_OUTDATED')
    else fallen.push(await letFall(tx, row, now))
  }
  await schedule(tx, deps, topic, kept)
  for (const row of await openRows(tx, topic, 'proposed', now)) {
    const change = readSafely(row)
    const base = change && (await orUndefined(() => baseOf(tx, deps, change, row.starts_at ?? now)))
    if (change === undefined || !sameJson(base, row.base)) fallen.push(await letFall(tx, row, now))
  }
  return fallen
}

/**
 * Refuses one more change of a subject of which too many are open: each decision looks at all of them, and members are shown all.
 * @throws AppError INVALID_INPUT
 */
export async function assertRoomToPropose(tx: Tx, subject: string, now: Date): Promise<void> {
  const together = Object.values(SUBJECTS).find((all) => all.includes(subject)) ?? [subject]
  const open = await openChanges(tx, now).where('subject', 'in', together).limit(MAX_PLANNED_SETTINGS).execute()
  if (open.length >= MAX_PLANNED_SETTINGS)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'subject', message: 'Too many changes of this are open, decide them first' }])
}

/** Stands for the row of a change that is only tried. */
const TRIED = -1n
type OpenRow = Awaited<ReturnType<typeof openRows>>[number]

function withTried(rows: readonly OpenRow[], { change, startsAt, base }: Tried): Pick<OpenRow, keyof typeof NO_ROW>[] {
  const before = rows.filter((row) => row.starts_at !== null && row.starts_at <= startsAt)
  const { subject, reason } = change
  return [...before, { ...NO_ROW, subject, reason, value: asJson(change.value), base, starts_at: startsAt }, ...rows.slice(before.length)]
}
const NO_ROW = { id: TRIED, public_id: 'tried', subject: '', value: {}, base: {}, reason: '', starts_at: new Date(0), decided_by: null }

const SUBJECTS: Readonly<Record<string, readonly string[]>> = { settings: ['price', 'settings', 'limits'] }

/** Changes of a topic that are open, in the order of their starts, held until the transaction ends. */
async function openRows(tx: Tx, topic: string, which: 'planned' | 'proposed', now: Date) {
  const [subject = topic] = topic.split(' ')
  const rows = await tx
    .selectFrom('staff_change')
    .selectAll()
    .where('subject', 'in', SUBJECTS[subject] ?? [subject])
    .where('status', '=', which === 'planned' ? 'APPROVED' : 'PENDING')
    .$if(which === 'planned', (query) => query.where('starts_at', '>', now))
    .orderBy('starts_at')
    .orderBy('decided_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.filter((row) => topicOf(row, row.public_id) === topic)
}

function readSafely(row: { subject: string; value: unknown; reason: string }): Change | undefined {
  try {
    return readChange(row)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** What is found; undefined where what it is about does not exist at that time. */
async function orUndefined(find: () => Promise<unknown>): Promise<unknown> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Why a change falls that nobody took back. */
export const OTHER_BASE = 'What it was based on has changed'

async function letFall(tx: Tx, row: { id: bigint; public_id: string }, at: Date): Promise<string> {
  await endChange(tx, row.id, { status: 'OUTDATED', at, by: null, reason: OTHER_BASE })
  return row.public_id
}

export async function endChange(
  tx: Tx,
  id: bigint,
  end: { status: 'CANCELLED' | 'OUTDATED'; at: Date; by: bigint | null; reason: string },
): Promise<void> {
  await tx
    .updateTable('staff_change')
    .set({ status: end.status, ended_at: end.at, ended_by: end.by, end_reason: end.reason })
    .where('id', '=', id)
    .execute()
}

/** Time after which a proposal that nobody decided expires. */
const EXPIRES_MS = 14 * DAY_MS

/** Whether a proposal has expired: who proposed it may have forgotten it, and the approver reads what was true weeks ago. */
export const isExpired = (row: { status: string; created_at: Date }, now: Date): boolean =>
  row.status === 'PENDING' && row.created_at.getTime() + EXPIRES_MS <= now.getTime()

/** The condition that a row of `staff_change` waits for a second person at a moment, as `statusOf` says it. */
export const isPendingAt = (now: Date): RawBuilder<SqlBool> =>
  sql`(status = 'PENDING' and created_at > ${new Date(now.getTime() - EXPIRES_MS)} and (starts_at is null or starts_at > ${now}))`

/** How far a change is, as staff see it: by its row, and by the clock. */
export function statusOf(row: { status: string; starts_at: Date | null; created_at: Date }, now: Date) {
  const isToCome = row.starts_at !== null && row.starts_at > now
  if (row.status === 'APPROVED') return isToCome ? 'PLANNED' : 'IN_FORCE'
  if (row.status === 'PENDING') return isExpired(row, now) || (row.starts_at !== null && !isToCome) ? 'OUTDATED' : 'PENDING'
  return (['REFUSED', 'CANCELLED'] as const).find((status) => status === row.status) ?? 'OUTDATED'
}

/** All changes that are open at a moment: proposed, or planned. */
export const openChanges = (db: Db, now: Date) =>
  db
    .selectFrom('staff_change')
    .selectAll()
    .where((row) => row.or([isPendingAt(now), row.and([row('status', '=', 'APPROVED'), row('starts_at', '>', now)])]))
    .orderBy('id')
