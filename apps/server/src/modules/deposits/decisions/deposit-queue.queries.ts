import type { Units } from '@tizara/money'
import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { openFirst, type PageRange } from '../../../platform/db/paging.ts'
import { FAR_OVERPAID } from '../provider/payment.rules.ts'

/** Staff decision about a deposit. */
export interface DecisionMade {
  outcome: 'APPROVED' | 'REJECTED'
  firstApprovedBy: bigint | null
  firstApprovedAt: Date | null
  decidedBy: bigint
  decidedAt: Date
  reason: string
}

/** Deposit in the staff view, with amounts in USD units. Coin is valued at its arrival. */
export interface QueuedDeposit {
  id: string
  memberId: bigint
  amount: Units
  credited: Units
  status: 'PENDING' | 'APPROVED' | 'REJECTED'
  /** First approver in the current decision, or in the pending approval. */
  firstApprovedBy: bigint | null
  firstApprovedAt: Date | null
  /** Final decider, or null while pending. */
  decidedBy: bigint | null
  reason: string | null
  /** Earlier decisions, oldest first. */
  earlier: DecisionMade[]
  /**
   * True if the provider reports USD payments that cover all credits without being far more than requested. Always false for chain
   * invoices.
   */
  isPaid: boolean
  /** Amount credited on approval. */
  credit: Units
  /** Reasons for the review. */
  reviews: string[]
  createdAt: Date
  decidedAt: Date | null
}

export interface DepositRow extends Omit<QueuedDeposit, 'status' | 'decidedBy' | 'reason' | 'earlier'> {
  status: string
  open: boolean
  decisions: Record<keyof DecisionMade, string | null>[]
}

const REVIEWS = sql`from provider_payment p where p.deposit_id = d.id and p.review_reason is not null and p.reviewed_at is null`
/** SQL: transfer that is final on the chain. */
export const IS_FINAL = sql<boolean>`is_live and confirmations >= ${sql.lit(INVOICE_CONFIRMATIONS)}`
/** SQL: final transfer on the chain that awaits a staff decision. */
export const IS_HELD = sql<boolean>`held is not null and decided_at is null and ${IS_FINAL}`
export const HELD = sql`from invoice_transfer t where t.deposit_id = d.id and ${IS_HELD}`
const OPEN_RETURN_REQUEST = sql`from return_request q where q.deposit_id = d.id and q.closed_at is null`
/** SQL: deposit `d` awaiting a payment or a decision. */
export const OPEN = sql`(d.method = 'hosted' and d.status = 'PENDING' or exists (select ${REVIEWS}) or exists (select ${HELD})
  or exists (select ${OPEN_RETURN_REQUEST}))`
/** SQL: deposits with an exception. */
export const REVIEW_IDS = sql`(select deposit_id from provider_payment where review_reason is not null and reviewed_at is null
  union select deposit_id from invoice_transfer where ${IS_HELD} union select deposit_id from return_request where closed_at is null)`
export const OPEN_IDS = sql`(select id from deposit where method = 'hosted' and status = 'PENDING' union ${REVIEW_IDS})`
const STATUS = { PENDING: 'PENDING', APPROVED: 'APPROVE', REJECTED: 'REJECT' } as const

/** SQL: payments far above the requested amount. */
const FAR_ABOVE_REQUEST = sql`${REVIEWS} and p.review_reason = ${sql.lit(FAR_OVERPAID)}`
/** SQL: unpaid rest of the request, or zero if every reviewed payment was credited. A payment far above the request counts in full. */
export const CREDIT = sql`case when d.method = 'chain' then (select coalesce(sum(t.usd_amount), 0)::bigint ${HELD})
  when exists (select ${FAR_ABOVE_REQUEST}) then (select sum(p.actually_paid - p.credited_amount)::bigint ${FAR_ABOVE_REQUEST}) when d.status = 'PENDING' or exists (select ${REVIEWS} and (p.credited_amount = 0 or p.actually_paid > p.credited_amount))
  then greatest(d.amount - d.credited, 0) else 0 end`
/** SQL: value of `isPaid`. The platform has no price for other currencies. */
const IS_PAID = sql`d.method = 'hosted' and not exists (select ${FAR_ABOVE_REQUEST}) and (select coalesce(sum(p.actually_paid), 0) from provider_payment p where p.deposit_id = d.id
  and p.payment_id not like 'hand-%' and p.status in ('partial', 'settled') and p.pay_currency like 'usd%') >= d.credited + ${CREDIT}`
const CREDITED = sql`case when d.method = 'hosted' then d.credited else (select coalesce(sum(t.usd_amount), 0)::bigint from invoice_transfer t
  where t.deposit_id = d.id and t.credited_at is not null) end`
const HELD_TEXT = sql`(t.amount / 100000000.0)::numeric(20, 2) || ' ' || case t.asset when 'USD' then 'USD' else 'coin' end || case t.held
  when 'BALANCE_DIFFERS' then ' by the transfer, but the address received another amount: compare its balance on an explorer'
  when 'REVERSED' then ' is back in the chain after a reorg, and its credit was reversed' when 'OTHER_TOKEN' then ' arrived for an invoice in the other token' else ' arrived after the invoice was closed' end`
const DECISIONS = sql`(select coalesce(jsonb_agg(jsonb_build_object('outcome', outcome, 'firstApprovedBy', first_approved_by::text,
  'firstApprovedAt', first_approved_at, 'decidedBy', decided_by::text, 'decidedAt', decided_at, 'reason', reason) order by id), '[]')
  from deposit_decision where deposit_id = d.id)`
export const COLUMNS = sql`d.public_id as id, d.member_id as "memberId", case d.method when 'hosted' then d.amount else d.usd_amount end as amount, ${CREDITED} as credited, d.status,
  d.first_approved_by as "firstApprovedBy", d.first_approved_at as "firstApprovedAt", ${DECISIONS} as decisions, ${IS_PAID} as "isPaid",
  d.created_at as "createdAt", d.decided_at as "decidedAt", ${OPEN} as open,
  ${CREDIT} as credit,
  array(select p.review_reason ${REVIEWS} union all select ${HELD_TEXT} ${HELD}
    union all select 'The member asks for the return to ' || q.address ${OPEN_RETURN_REQUEST}) as reviews`

export function described({ open, decisions, ...row }: DepositRow): QueuedDeposit {
  const decisionRows = decisions.map(decisionMade)
  const last = open ? undefined : decisionRows.pop()
  const approved = open ? row : last
  return {
    ...row,
    status: open ? 'PENDING' : row.status === 'APPROVE' ? 'APPROVED' : 'REJECTED',
    firstApprovedBy: approved?.firstApprovedBy ?? null,
    firstApprovedAt: approved?.firstApprovedAt ?? null,
    decidedBy: last?.decidedBy ?? null,
    reason: last?.reason ?? null,
    earlier: decisionRows,
  }
}

const decisionMade = (made: Record<keyof DecisionMade, string | null>): DecisionMade => ({
  outcome: made.outcome === 'APPROVED' ? 'APPROVED' : 'REJECTED',
  firstApprovedBy: made.firstApprovedBy === null ? null : BigInt(made.firstApprovedBy),
  firstApprovedAt: made.firstApprovedAt === null ? null : new Date(made.firstApprovedAt),
  decidedBy: BigInt(made.decidedBy ?? 0),
  decidedAt: new Date(made.decidedAt ?? 0),
  reason: made.reason ?? '',
})

/**
 * Returns one deposit in the staff queue.
 * @param lock locks the row until the transaction ends
 */
export async function queuedDeposit(db: Db, id: string, lock = false): Promise<QueuedDeposit | undefined> {
  if (lock) await sql`select from deposit where public_id = ${id} for update`.execute(db)
  const { rows } = await sql<DepositRow>`select ${COLUMNS} from deposit d where d.public_id = ${id}
    and (d.method = 'hosted' or d.by_hand or exists (select ${HELD}) or exists (select from payment_return r where r.deposit = d.public_id))`.execute(
    db,
  )
  return rows[0] === undefined ? undefined : described(rows[0])
}

/**
 * Lists deposits for staff: first the open deposits, oldest first, then the manual decisions, newest first. Status PENDING selects the open
 * deposits.
 */
export async function depositQueue(db: Db, { pageRange, status }: { pageRange: PageRange; status?: QueuedDeposit['status'] | undefined }) {
  const decided = sql`d.by_hand and not ${OPEN} and (${status === undefined || status === 'PENDING' ? null : STATUS[status]}::text is null
    or d.status = ${status === undefined ? null : STATUS[status]})`
  const counts = await sql<{ open: number; done: number }>`
    select (select count(*)::int from ${OPEN_IDS} o) as open, (select count(*)::int from deposit d where ${decided}) as done`.execute(db)
  const open = status === undefined || status === 'PENDING' ? (counts.rows[0]?.open ?? 0) : 0
  const decidedCount = status === 'PENDING' ? 0 : (counts.rows[0]?.done ?? 0)
  const parts = openFirst(pageRange, open)
  const first =
    open === 0
      ? []
      : (
          await sql<DepositRow>`select ${COLUMNS} from deposit d where d.id in ${OPEN_IDS} order by d.id limit ${parts.open.limit} offset ${parts.open.offset}`.execute(
            db,
          )
        ).rows
  const then =
    decidedCount === 0 || parts.done.limit === 0
      ? []
      : (
          await sql<DepositRow>`select ${COLUMNS} from deposit d where ${decided} order by d.id desc limit ${parts.done.limit} offset ${parts.done.offset}`.execute(
            db,
          )
        ).rows
  return { data: [...first, ...then].map(described), meta: { total: open + decidedCount, page: pageRange.page, limit: pageRange.limit } }
}

/** Returns the number of deposits with an open review. */
export async function depositsToReview(db: Db): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*)::int as count from ${REVIEW_IDS} r`.execute(db)
  return found.rows[0]?.count ?? 0
}
