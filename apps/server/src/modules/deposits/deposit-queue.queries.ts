import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { openFirst, type Slice } from '../../platform/paging.ts'

/** A hosted deposit as staff see it; amounts in USD units. */
export interface QueuedDeposit {
  id: string
  memberId: bigint
  amount: Units
  credited: Units
  status: 'PENDING' | 'APPROVED' | 'REJECTED'
  firstApprovedBy: bigint | null
  firstApprovedAt: Date | null
  decidedBy: bigint | null
  reason: string | null
  /** What approving it credits. */
  credit: Units
  /** Why a payment of it needs a look. */
  reviews: string[]
  createdAt: Date
  decidedAt: Date | null
}

export interface DepositRow extends Omit<QueuedDeposit, 'status'> {
  status: string
  open: boolean
}

/** SQL: a deposit `d` that waits for a payment or a person. */
export const OPEN = sql`(d.status = 'PENDING' or exists (select from provider_payment p
  where p.deposit_id = d.id and p.review_reason is not null and p.reviewed_at is null))`
export const OPEN_IDS = sql`(select id from deposit where way = 'hosted' and status = 'PENDING'
  union select deposit_id from provider_payment where review_reason is not null and reviewed_at is null)`
const STATUS = { PENDING: 'PENDING', APPROVED: 'APPROVE', REJECTED: 'REJECT' } as const

const REVIEWS = sql`from provider_payment p where p.deposit_id = d.id and p.review_reason is not null and p.reviewed_at is null`
/** A first approval counts only while nobody has decided. */
export const FIRST = sql`case when d.decided_by is null then d.first_approved_by end`
export const COLUMNS = sql`d.public_id as id, d.member_id as "memberId", d.amount, d.credited, d.status, ${FIRST} as "firstApprovedBy",
  case when d.decided_by is null then d.first_approved_at end as "firstApprovedAt",
  d.decided_by as "decidedBy", d.decision_reason as reason, d.created_at as "createdAt", d.decided_at as "decidedAt", ${OPEN} as open,
  case when d.status = 'PENDING' or exists (select ${REVIEWS} and p.credited_amount is null) then greatest(d.amount - d.credited, 0) else 0 end as credit,
  array(select p.review_reason ${REVIEWS}) as reviews`

export const described = ({ open, ...row }: DepositRow): QueuedDeposit => ({
  ...row,
  status: open ? 'PENDING' : row.status === 'APPROVE' ? 'APPROVED' : 'REJECTED',
})

/**
 * One hosted deposit.
 * @param lock holds it until the transaction ends
 */
export async function queuedDeposit(db: Db, id: string, lock = false): Promise<QueuedDeposit | undefined> {
  if (lock) await sql`select from deposit where public_id = ${id} for update`.execute(db)
  const { rows } = await sql<DepositRow>`select ${COLUMNS} from deposit d where d.public_id = ${id} and d.way = 'hosted'`.execute(db)
  return rows[0] === undefined ? undefined : described(rows[0])
}

/**
 * Hosted deposits for staff: those that wait for a payment or a person first, oldest first; then those that a person
 * decided, newest first. A status narrows it: PENDING stands for the open ones.
 */
export async function depositQueue(db: Db, { slice, status }: { slice: Slice; status?: QueuedDeposit['status'] | undefined }) {
  const decided = sql`d.by_hand and not ${OPEN} and (${status === undefined || status === 'PENDING' ? null : STATUS[status]}::text is null
    or d.status = ${status === undefined ? null : STATUS[status]})`
  const counts = await sql<{ open: number; done: number }>`
    select (select count(*)::int from ${OPEN_IDS} o) as open, (select count(*)::int from deposit d where ${decided}) as done`.execute(db)
  const open = status === undefined || status === 'PENDING' ? (counts.rows[0]?.open ?? 0) : 0
  const done = status === 'PENDING' ? 0 : (counts.rows[0]?.done ?? 0)
  const parts = openFirst(slice, open)
  const first =
    open === 0
      ? []
      : (
          await sql<DepositRow>`select ${COLUMNS} from deposit d where d.id in ${OPEN_IDS} order by d.id limit ${parts.open.limit} offset ${parts.open.offset}`.execute(
            db,
          )
        ).rows
  const then =
    done === 0 || parts.done.limit === 0
      ? []
      : (
          await sql<DepositRow>`select ${COLUMNS} from deposit d where ${decided} order by d.id desc limit ${parts.done.limit} offset ${parts.done.offset}`.execute(
            db,
          )
        ).rows
  return { data: [...first, ...then].map(described), meta: { total: open + done, page: slice.page, limit: slice.limit } }
}

/** How many deposits have a payment that needs a look. */
export async function depositsToReview(db: Db): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(distinct deposit_id)::int as count from provider_payment where review_reason is not null and reviewed_at is null`.execute(
    db,
  )
  return found.rows[0]?.count ?? 0
}
