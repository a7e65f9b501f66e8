import type { openItem } from '@tizara/contract/staff-member-pages'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { InferOutput } from 'valibot'
import type { Db } from '../../../platform/db/database.ts'
import { openReviewsOf } from '../../deposits/index.ts'
import type { Member } from '../../members/index.ts'
import { waitingTicketsOf } from '../../support/index.ts'
import { roundedAmount } from '../access/rounded-amount.ts'
import { isPendingAt } from '../proposals/proposal-status.ts'

type OpenItem = InferOutput<typeof openItem>

/** Maximum items per kind. */
const MAX_ITEMS = 5

/** Lists a member's items awaiting a decision or answer, oldest first. */
export async function openItemsOf(db: Db, member: Member, now: Date): Promise<OpenItem[]> {
  const [payouts, changes, deposits, tickets] = await Promise.all([
    payoutsThatWait(db, member.id),
    changesThatWait(db, member, now),
    openReviewsOf(db, member.id, MAX_ITEMS),
    waitingTicketsOf(db, member.id, MAX_ITEMS),
  ])
  const items: OpenItem[] = [
    ...payouts,
    ...changes,
    ...deposits.map(({ id, amount, createdAt }) => ({
      kind: 'deposit' as const,
      id,
      text: `A payment on a deposit of ${roundedAmount(amount)} needs a review`,
      since: createdAt,
      href: `/staff/deposits/${id}`,
    })),
    ...tickets.map(({ id, title, since }) => ({
      kind: 'ticket' as const,
      id,
      text: `The ticket “${title}” awaits an answer`,
      since,
      href: `/staff/tickets/${id}`,
    })),
  ]
  return items.toSorted((a, b) => a.since.getTime() - b.since.getTime())
}

async function payoutsThatWait(db: Db, memberId: bigint): Promise<OpenItem[]> {
  const { rows } = await sql<{ id: string; kind: string; amount: Units; at: Date; confirmed: boolean; first: boolean }>`
    select public_id as id, kind, amount, created_at as at, confirmed_at is not null as confirmed, first_approved_by is not null as first
    from payout_request p where member_id = ${memberId} and status = 'PENDING' and kind <> 'transfer' order by p.id limit ${MAX_ITEMS}`.execute(
    db,
  )
  return rows.map(({ id, kind, amount, at, confirmed, first }) => {
    const subject = kind === 'bridge' ? `A bridge of ${roundedAmount(amount)} coin` : `A payout of ${roundedAmount(amount)} USD`
    const state = confirmed ? (first ? 'awaits the second approval' : 'awaits approval') : "awaits the member's confirmation"
    return { kind: 'payout', id, text: `${subject} ${state}`, since: at, href: `/staff/payouts/${id}` }
  })
}

async function changesThatWait(db: Db, member: Member, now: Date): Promise<OpenItem[]> {
  const { rows } = await sql<{ id: string; subject: string; at: Date }>`
    select public_id as id, subject, created_at as at from staff_proposal c
    where ${isPendingAt(now)} and (value ->> 'memberId' = ${member.public_id} or value ->> 'email' = ${member.email})
    order by c.id limit ${MAX_ITEMS}`.execute(db)
  return rows.map(({ id, subject, at }) => ({
    kind: 'change',
    id,
    text: `A proposal (${subject}) awaits a second approver`,
    since: at,
    href: `/staff/changes/${id}`,
  }))
}
