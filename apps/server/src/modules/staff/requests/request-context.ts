import type { Units } from '@tizara/money'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { QueuedDeposit } from '../../deposits/index.ts'
import type { Member } from '../../members/index.ts'
import type { QueuedPayout } from '../../withdrawals/index.ts'

/** A request from any queue, with the fields specific to its kind. */
export type Request = (Omit<QueuedPayout, 'kind'> & { queue: 'withdrawals' | 'bridges' }) | (QueuedDeposit & { queue: 'deposits' })

/** Context for a page of requests. */
export interface RequestContext {
  people: ReadonlyMap<bigint, Member>
  /** Members with an account linked to an upline. */
  traced: ReadonlySet<bigint>
  /** Members with a screening match that nobody has cleared. */
  screened: ReadonlySet<bigint>
  /** Staff member who cleared each member's linked accounts. */
  cleared: ReadonlyMap<bigint, string>
  /** Members whose account may belong to the viewer, who cannot decide about them. */
  likeReader: ReadonlySet<bigint>
  limits: { usd: Units; coin: Units }
  /** Payout limits per member within 24 hours, and the sums already paid. */
  day: { payoutDayUsd: Units; payoutDayCoin: Units; paid: readonly { memberId: bigint; kind: string; sum: Units }[] }
  /** Target decision time in hours. */
  targetHours: { payouts: number; deposits: number }
  /** Returns true if the viewer's decision requires a second approval, given earlier solo decisions. */
  requiresSecondApproval: (row: Request) => boolean
  /** True during an emergency pause, in which staff cannot approve. */
  isStopped: boolean
  now: Date
  /** Reader of the page; absent where no decision is possible. */
  viewer?: Pick<Viewer, 'memberId' | 'role'> | undefined
}
