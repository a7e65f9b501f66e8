import type { ProposalSubject } from '@tizara/contract/staff-changes'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { MAX_PLANNED_SETTINGS } from '../../settings/index.ts'
import { kinds } from './kinds/index.ts'
import {
  type AnyKind,
  baselineOf,
  currentValueAt,
  fieldsOf,
  pickBaseline,
  type Proposal,
  readProposalSafely,
  sameJson,
  storedKind,
  withoutId,
} from './proposal.ts'
import { endProposal, isPendingAt, openProposals } from './proposal-status.ts'
import type { ScheduledChange } from './shared/proposal-kind.ts'
import { asJson } from './shared/as-json.ts'

/** Key of the lock that serializes approvals, so that two proposals cannot be approved on the same baseline. */
const APPROVAL_LOCK = 1_702_257_012

/** Takes the global approval lock until the transaction ends. */
export async function lockApprovals(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${APPROVAL_LOCK})`.execute(tx)
}

/** Subject of a schedule: the settings, the programme, the announcement, one plan or one NFT. */
export interface Topic {
  name: string
  /** Empty for a topic with one object. */
  id: string
}

/**
 * Returns a proposal's topic; undefined if proposals of its kind cannot start later.
 * @param publicId the proposal's public id, also used for the plan or NFT it creates
 */
export function topicOf({ subject, value }: { subject: string; value: unknown }, publicId: string): Topic | undefined {
  const scheduling = storedKind(subject)?.scheduling
  if (scheduling === undefined) return undefined
  const { topic: name, idKey } = scheduling
  if (idKey === undefined) return { name, id: '' }
  const id = fieldsOf(value)[idKey]
  return { name, id: typeof id === 'string' ? id : publicId }
}

export const sameTopic = (one: Topic | undefined, other: Topic | undefined): boolean => one?.name === other?.name && one?.id === other?.id

/** Formats a topic: `settings`, `plan ID`. */
export const topicName = ({ name, id }: Topic): string => (id === '' ? name : `${name} ${id}`)

/** Subjects with scheduling. */
export const scheduledSubjects: readonly string[] = Object.values<AnyKind>(kinds)
  .filter(({ scheduling }) => scheduling !== undefined)
  .map(({ subject }) => subject)

/** Lists the kinds scheduled together under a topic. */
const kindsOf = (topic: string): AnyKind[] => Object.values<AnyKind>(kinds).filter(({ scheduling }) => scheduling?.topic === topic)

/** Lists the subjects scheduled together under a topic. */
export const subjectsOf = ({ name }: Topic): ProposalSubject[] => kindsOf(name).map(({ subject }) => subject)

/** A proposal treated as approved by the dry run. */
export interface DryRunProposal {
  proposal: Proposal
  startsAt: Date
  baseline: unknown
}

/**
 * Computes the schedule of a topic from the current value and the approved proposals. Expires proposals whose baseline no longer matches.
 * Every function that applies, schedules or ends a proposal calls this function at its end, under the approval lock.
 * @param dryRun a further proposal treated as approved; the caller rolls back
 * @returns the public ids of the expired proposals
 * @throws AppError if scheduled values contradict each other: CONVERT_RATE_TOO_LOW, INVALID_INPUT; CHANGE_OUTDATED if the proposal of the
 * dry run would expire
 */
export async function reschedule(tx: Tx, deps: Deps, topic: Topic, dryRun?: DryRunProposal): Promise<string[]> {
  const now = deps.clock.now()
  const changes: ScheduledChange<object>[] = []
  const expired: string[] = []
  let current: unknown
  const rows = await openRows(tx, topic, 'scheduled', now)
  for (const row of dryRun === undefined ? rows : withDryRun(rows, dryRun)) {
    const proposal = readProposalSafely(row)
    if (changes.length === 0 && proposal !== undefined) current = await orUndefined(currentValueAt(tx, deps, proposal, now))
    if (proposal !== undefined && row.starts_at !== null && sameJson(pickBaseline(proposal, current), row.base)) {
      changes.push({ value: proposal.value, startsAt: row.starts_at, reason: proposal.reason, decidedBy: row.decided_by })
      current = { ...(current as object | null), ...withoutId(proposal, asJson(proposal.value)) }
    } else if (row.id === DRY_RUN) throw new AppError('CHANGE_OUTDATED')
    else expired.push(await expire(tx, row, now))
  }
  const [kind] = kindsOf(topic.name)
  await kind?.scheduling?.schedule(tx, deps, topic.id, changes)
  for (const row of await openRows(tx, topic, 'pending', now)) {
    const proposal = readProposalSafely(row)
    const baseline = proposal && (await orUndefined(baselineOf(tx, deps, proposal, row.starts_at ?? now)))
    if (proposal === undefined || !sameJson(baseline, row.base)) expired.push(await expire(tx, row, now))
  }
  return expired
}

/** Reads current values; undefined for a missing object. A new object has the baseline null, which is different. */
const orUndefined = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })

/**
 * Rejects a proposal if its topic has too many open proposals, because each decision reads all of them.
 * @throws AppError INVALID_INPUT
 */
export async function assertPendingLimit(tx: Tx, kind: AnyKind, now: Date): Promise<void> {
  const subjects = kind.scheduling === undefined ? [kind.subject] : kindsOf(kind.scheduling.topic).map(({ subject }) => subject)
  const open = await openProposals(tx, now).where('subject', 'in', subjects).limit(MAX_PLANNED_SETTINGS).execute()
  if (open.length >= MAX_PLANNED_SETTINGS)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'subject', message: 'Too many proposals for this are pending, decide them first' }])
}

/**
 * Rejects a proposal whose value is pending already. The caller holds the approval lock, so that two equal calls cannot both pass.
 * @param value the proposal's value as JSON
 * @throws AppError INVALID_INPUT
 */
export async function assertNotPending(tx: Tx, subject: string, value: unknown, now: Date): Promise<void> {
  const pending = await tx
    .selectFrom('staff_proposal')
    .select('id')
    .where('subject', '=', subject)
    .where(isPendingAt(now))
    .where(sql<boolean>`value = ${JSON.stringify(value)}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  if (pending !== undefined)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'value', message: 'The same proposal is pending already, decide it first' }])
}

/** Row id for a dry run's proposal. */
const DRY_RUN = -1n
type OpenRow = Awaited<ReturnType<typeof openRows>>[number]

function withDryRun(rows: readonly OpenRow[], { proposal, startsAt, baseline }: DryRunProposal): Pick<OpenRow, keyof typeof NO_ROW>[] {
  const before = rows.filter((row) => row.starts_at !== null && row.starts_at <= startsAt)
  const { subject, reason, value } = proposal
  return [
    ...before,
    { ...NO_ROW, subject, reason, value: asJson(value), base: baseline, starts_at: startsAt },
    ...rows.slice(before.length),
  ]
}
const NO_ROW = { id: DRY_RUN, public_id: 'dry-run', subject: '', value: {}, base: {}, reason: '', starts_at: new Date(0), decided_by: null }

/** Locks and returns a topic's open proposals by start. */
async function openRows(tx: Tx, topic: Topic, which: 'scheduled' | 'pending', now: Date) {
  const rows = await tx
    .selectFrom('staff_proposal')
    .selectAll()
    .where('subject', 'in', subjectsOf(topic))
    .where('status', '=', which === 'scheduled' ? 'APPROVED' : 'PENDING')
    .$if(which === 'scheduled', (query) => query.where('starts_at', '>', now))
    .orderBy('starts_at')
    .orderBy('decided_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.filter((row) => sameTopic(topicOf(row, row.public_id), topic))
}

/** Reason recorded when another proposal changed the object. */
export const OTHER_BASELINE = 'The values that it was based on have changed'

async function expire(tx: Tx, row: { id: bigint; public_id: string }, at: Date): Promise<string> {
  await endProposal(tx, row.id, { status: 'OUTDATED', at, by: null, reason: OTHER_BASELINE })
  return row.public_id
}
