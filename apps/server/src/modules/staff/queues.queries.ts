import type { Page, QueryOf } from '@tizara/contract'
import type { QueueKind, queueItem, staffQueue } from '@tizara/contract/staff-queues'
import type { Units } from '@tizara/money'
import type { InferOutput } from 'valibot'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { readSlice } from '../../platform/paging.ts'
import { depositQueue } from '../deposits/index.ts'
import { type Member, membersById } from '../members/index.ts'
import { currentSettings } from '../settings/index.ts'
import { payoutQueue } from '../withdrawals/index.ts'

export type QueueItem = InferOutput<typeof queueItem>

/** What the rows of the three queues have in common. */
interface Request {
  id: string
  memberId: bigint
  amount: Units
  status: 'PENDING' | 'APPROVED' | 'REJECTED'
  firstApprovedBy: bigint | null
  decidedBy: bigint | null
  reason: string | null
  createdAt: Date
  decidedAt: Date | null
}

/** Money that leaves so soon after a password reset or a registration deserves a look. */
const FRESH_MS = 3 * DAY_MS

const STATUS: Readonly<Record<string, Request['status']>> = {
  PENDING: 'PENDING',
  APPROVE: 'APPROVED',
  APPROVED: 'APPROVED',
  REJECT: 'REJECTED',
  REJECTED: 'REJECTED',
}

/** The person as staff see one in a row. */
export const personOf = (member: Member | undefined) => ({
  id: member?.public_id ?? '',
  name: member?.name ?? '',
  email: member?.email ?? '',
})

/** One of the queues: open requests first, oldest first; then the decided ones, newest first (GN-04). */
export async function readQueue(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  kind: QueueKind,
  query: QueryOf<typeof staffQueue>,
): Promise<Page<QueueItem>> {
  const now = deps.clock.now()
  const search = { slice: readSlice(query), status: query.status === undefined ? undefined : STATUS[query.status.toUpperCase()] }
  const { fourEyesAboveUsd, fourEyesAboveCoin } = await currentSettings(db, now)
  const limit = kind === 'bridges' ? fourEyesAboveCoin : fourEyesAboveUsd
  if (kind === 'deposits') {
    const { data, meta } = await depositQueue(db, search)
    const people = await peopleOf(db, data)
    const rows = data.map((row): QueueItem => ({
      ...itemOf(kind, row, people, limit, now),
      received: row.credited,
      flags: [...row.reviews, ...flagsOf(row, people.get(row.memberId), limit, now)],
    }))
    return { data: rows, meta }
  }
  const { data, meta } = await payoutQueue(db, kind === 'bridges' ? 'bridge' : 'withdrawal', search)
  const people = await peopleOf(db, data)
  const rows = data.map((row): QueueItem => ({
    ...itemOf(kind, row, people, limit, now),
    platformFee: row.platformFee,
    networkFee: row.networkFee,
    received: row.received,
    address: row.address,
    network: row.network,
    ...(row.txHash === null ? {} : { txHash: row.txHash }),
    flags: [...(row.newAddress ? ['First payout to this address'] : []), ...flagsOf(row, people.get(row.memberId), limit, now)],
  }))
  return { data: rows, meta }
}

function peopleOf(db: Db, rows: readonly Request[]): Promise<Map<bigint, Member>> {
  return membersById(
    db,
    rows.flatMap((row) => [row.memberId, row.firstApprovedBy, row.decidedBy].filter((id) => id !== null)),
  )
}

function itemOf(kind: QueueKind, row: Request, people: Map<bigint, Member>, limit: Units, now: Date): QueueItem {
  const emailOf = (id: bigint | null) => (id === null ? undefined : people.get(id)?.email)
  const first = emailOf(row.firstApprovedBy)
  const decided = emailOf(row.decidedBy)
  const approvers = [first, row.status === 'APPROVED' ? decided : undefined].filter((email) => email !== undefined)
  return {
    id: row.id,
    kind,
    member: personOf(people.get(row.memberId)),
    asset: kind === 'bridges' ? 'coin' : 'usd',
    amount: row.amount,
    status: row.status,
    approvalsNeeded: row.amount > limit ? 2 : 1,
    approvedBy: approvers,
    ...(decided === undefined ? {} : { decidedBy: decided }),
    ...(row.reason === null || row.reason === '' ? {} : { reason: row.reason }),
    flags: flagsOf(row, people.get(row.memberId), limit, now),
    createdAt: row.createdAt,
    ...(row.decidedAt === null || row.status === 'PENDING' ? {} : { decidedAt: row.decidedAt }),
  }
}

function flagsOf(row: Request, member: Member | undefined, limit: Units, now: Date): string[] {
  const flags: string[] = []
  const isFresh = (at: Date | null) => at !== null && now.getTime() - at.getTime() < FRESH_MS
  if (row.amount > limit) flags.push('Needs two approvals')
  if (member === undefined) return flags
  if (!member.is_active) flags.push('The member is blocked')
  if (isFresh(member.password_reset_at)) flags.push('The password was reset in the last three days')
  if (isFresh(member.created_at)) flags.push('The account is less than three days old')
  return flags
}
