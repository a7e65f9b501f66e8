import type { queueItem } from '@tizara/contract/staff-queues'
import type { Units } from '@tizara/money'
import type { InferOutput } from 'valibot'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import type { QueuedDeposit } from '../../deposits/index.ts'
import type { QueuedPayout } from '../../withdrawals/index.ts'
import { type QueueSign, signsOf } from './queue-signs.ts'
import { mayRole } from '../access/rights.ts'
import type { RequestContext, Request } from './request-context.ts'
import { maskedAddress } from '../access/masked-address.ts'
import { personOf } from '../access/person.ts'

export type QueueItem = InferOutput<typeof queueItem>

const HOUR_MS = 3_600_000

export const payoutRequest = ({ kind, ...row }: QueuedPayout): Request => ({ ...row, queue: kind === 'bridge' ? 'bridges' : 'withdrawals' })
export const depositRequest = (row: QueuedDeposit): Request => ({ ...row, queue: 'deposits' })

/** Computes the version of a request, which changes with amount, fees, address or approvals. */
export function seenOf(row: Request): string {
  const money =
    row.queue === 'deposits'
      ? [row.amount, row.credited, row.credit, row.reviews.toSorted().join()]
      : [row.amount, row.platformFee, row.networkFee, row.received, row.address, row.network, row.ruleOutcome ?? '']
  return digest([row.queue, row.id, row.status, row.firstApprovedBy ?? '', ...money].join('|')).slice(0, 16)
}

export function itemOf(row: Request, context: RequestContext): QueueItem {
  const { people } = context
  const limit = row.queue === 'bridges' ? context.limits.coin : context.limits.usd
  const signs = signsOf(row, context)
  const emailOf = (id: bigint | null) => (id === null ? undefined : people.get(id)?.email)
  const decided = emailOf(row.decidedBy)
  const approvers = [emailOf(row.firstApprovedBy), row.status === 'APPROVED' ? decided : undefined].filter((email) => email !== undefined)
  const needsTwo = row.status === 'PENDING' ? context.requiresSecondApproval(row) : row.firstApprovedBy !== null
  return {
    id: row.id,
    kind: row.queue,
    member: personOf(people.get(row.memberId)),
    asset: row.queue === 'bridges' ? 'coin' : 'usd',
    amount: row.amount,
    status: row.status,
    ...(row.queue === 'deposits' ? { received: row.credited, credit: row.credit } : payoutParts(row)),
    approvalsNeeded: needsTwo ? 2 : 1,
    approvedBy: approvers,
    ...(decided === undefined ? {} : { decidedBy: decided }),
    ...ruleOf(row),
    ...(row.reason === null || row.reason === '' ? {} : { reason: row.reason }),
    flags: [...signs.map((sign) => sign.text), ...(needsTwo ? ['Needs two approvals'] : [])],
    createdAt: row.createdAt,
    ...(row.decidedAt === null || row.status === 'PENDING' ? {} : { decidedAt: row.decidedAt }),
    ...forConsole(row, context, signs, limit),
  }
}

/** Returns the rule that decided, held or queued a payout. */
const ruleOf = (row: Request) =>
  row.queue === 'deposits' || row.ruleName === null || row.ruleVersion === null || row.ruleOutcome === null
    ? {}
    : { rule: { name: row.ruleName, version: row.ruleVersion, outcome: row.ruleOutcome, ...ceilingOf(row) } }

/** Returns the ceiling of a rule that stopped a payout. */
const ceilingOf = ({ ceilingOf: of, ceilingLeft: left, ceilingFreeAt: freeAt }: Exclude<Request, { queue: 'deposits' }>) =>
  of === null || freeAt === null ? {} : { ceiling: { of, freeAt, ...(left === null ? {} : { left }) } }

/** Returns true for a payout that takes two approvals, because a rule holds it. */
export const isHeld = (row: Request): boolean => row.queue !== 'deposits' && row.ruleOutcome === 'HELD'

const payoutParts = (row: Extract<Request, { queue: 'withdrawals' | 'bridges' }>) => ({
  platformFee: row.platformFee,
  networkFee: row.networkFee,
  received: row.received,
  address: maskedAddress(row.address),
  network: row.network,
  ...(row.txHash === null ? {} : { txHash: row.txHash }),
  addressUsed: row.paidBefore,
})

/** Returns all staff members who approved or decided a request. */
export const decidersOf = (row: Request): bigint[] =>
  [row, ...(row.queue === 'deposits' ? row.earlier : [])]
    .flatMap(({ firstApprovedBy, decidedBy }) => [firstApprovedBy, decidedBy])
    .filter((id) => id !== null)

/** Returns the money moved by a decision about a request. */
export const moneyOf = (row: Request) => ({
  asset: row.queue === 'bridges' ? ('COIN' as const) : ('USD' as const),
  amount: row.queue === 'deposits' ? row.credit : row.amount,
  memberId: row.memberId,
  firstId: row.firstApprovedBy,
})

/** Returns true for a credit without a provider payment. Such a credit always requires two approvals. */
export const isUnpaidCredit = (row: Request): boolean => row.queue === 'deposits' && row.credit > 0n && !row.isPaid

function forConsole(row: Request, context: RequestContext, signs: QueueSign[], limit: Units) {
  const { people, viewer, targetHours } = context
  const by = (id: bigint | null, at: Date | null, reason?: string | null) =>
    id === null || at === null
      ? []
      : [{ by: personOf(people.get(id)), at, ...(reason === undefined || reason === null || reason === '' ? {} : { reason }) }]
  const earlier = row.queue === 'deposits' ? row.earlier : []
  const whyNot = viewer === undefined ? undefined : whyNotOf(row, viewer, context)
  return {
    seen: seenOf(row),
    signs,
    limit,
    dueAt: new Date(row.createdAt.getTime() + targetHours[row.queue === 'deposits' ? 'deposits' : 'payouts'] * HOUR_MS),
    approvals: [
      ...by(row.firstApprovedBy, row.firstApprovedAt),
      ...(row.status === 'PENDING' ? [] : by(row.decidedBy, row.decidedAt, row.reason)),
    ],
    ...(earlier.length === 0
      ? {}
      : {
          earlierDecisions: earlier.map((made) => ({
            outcome: made.outcome,
            by: [...by(made.firstApprovedBy, made.firstApprovedAt), ...by(made.decidedBy, made.decidedAt, made.reason)],
          })),
        }),
    ...(viewer === undefined ? {} : { canDecide: whyNot === undefined || whyNot === 'STOPPED' }),
    ...(whyNot === undefined ? {} : { whyNot }),
  }
}

function whyNotOf(
  row: Request,
  viewer: Pick<Viewer, 'memberId' | 'role'>,
  { likeReader, isStopped }: Pick<RequestContext, 'likeReader' | 'isStopped'>,
): QueueItem['whyNot'] {
  if (row.status !== 'PENDING') return 'DECIDED'
  if (row.memberId === viewer.memberId) return 'OWN'
  if (!mayRole(viewer.role, 'approveRequest')) return 'ROLE'
  if (row.firstApprovedBy === viewer.memberId) return 'FIRST_WAS_YOU'
  if (likeReader.has(row.memberId) || likeReader.has(row.firstApprovedBy ?? 0n)) return 'TRACES'
  return isStopped ? 'STOPPED' : undefined
}
