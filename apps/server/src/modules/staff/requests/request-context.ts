import type { Units } from '@tizara/money'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { QueuedDeposit } from '../../deposits/index.ts'
import type { Member } from '../../members/index.ts'
import type { QueuedPayout } from '../../withdrawals/index.ts'

/** A request of any queue, with what only some of them have. */
export type Request = (Omit<QueuedPayout, 'kind'> & { queue: 'withdrawals' | 'bridges' }) | (QueuedDeposit & { queue: 'deposits' })

/** What stands around a page of requests. */
export interface Around {
  people: ReadonlyMap<bigint, Member>
  /** Members who look like somebody above them. */
  traced: ReadonlySet<bigint>
  /** Who of the staff said of what a member shares with somebody above that it is harmless. */
  cleared: ReadonlyMap<bigint, string>
  /** People who look like the reader, who decides nothing about them. */
  likeReader: ReadonlySet<bigint>
  limits: { usd: Units; coin: Units }
  /** How much a member may be paid in 24 hours, and what of it was paid. */
  day: { payoutDayUsd: Units; payoutDayCoin: Units; paid: readonly { memberId: bigint; kind: string; sum: Units }[] }
  /** Hours in which one should be decided. */
  targetHours: { payouts: number; deposits: number }
  /** Whether a decision of the reader takes two, whatever else was decided alone. */
  requiresSecondApproval: (row: Request) => boolean
  /** Payouts and credits are stopped: nothing can be approved. */
  isStopped: boolean
  now: Date
  /** Who reads; left out where nobody decides. */
  viewer?: Pick<Viewer, 'memberId' | 'role'> | undefined
}
