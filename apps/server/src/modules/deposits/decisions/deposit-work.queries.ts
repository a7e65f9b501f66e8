import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { COLUMNS, type DepositRow, described, OPEN, OPEN_IDS, REVIEW_IDS, type QueuedDeposit } from './deposit-queue.queries.ts'

export interface DepositWork {
  /** Selects deposits waiting for this person, waiting for others, or decided. */
  view: 'me' | 'others' | 'decided'
  /** Viewing staff member, or undefined for a viewer who cannot decide. */
  staffId: bigint | undefined
  aboveUsd: Units | undefined
  /** Previous page's last row, by public id. */
  before: string | undefined
  limit: number
}

const TO_DECIDE = sql`(select * from ${REVIEW_IDS} r
  union select id from deposit where first_approved_by is not null)`

/** SQL: marker that changes with the deposits to decide. */
export const depositWorkMark = sql<string>`(select concat(count(*), ' ', sum(d.id), ' ', count(d.first_approved_by)) from deposit d
  where d.id in ${TO_DECIDE})`

/** Returns deposits for the work list: pending deposits oldest first, decided deposits newest first. */
export async function depositWork(db: Db, { view, staffId, aboveUsd, before, limit }: DepositWork): Promise<QueuedDeposit[]> {
  const mine = sql`(d.id in ${TO_DECIDE} and ${staffId ?? null}::bigint is not null and d.member_id <> ${staffId ?? null}
    and d.first_approved_by is distinct from ${staffId ?? null})`
  const wanted = {
    me: mine,
    others: sql`d.id in ${OPEN_IDS} and not coalesce(${mine}, false)`,
    decided: sql`d.by_hand and not ${OPEN}`,
  }[view]
  const after =
    before === undefined
      ? sql`true`
      : sql`d.id ${view === 'decided' ? sql`<` : sql`>`} (select id from deposit where public_id = ${before})`
  const { rows } = await sql<DepositRow>`select ${COLUMNS} from deposit d
    where ${wanted} and ${after} and (${aboveUsd ?? null}::bigint is null or d.amount > ${aboveUsd ?? null})
    order by d.id ${view === 'decided' ? sql`desc` : sql`asc`} limit ${limit}`.execute(db)
  return rows.map(described)
}

/** Returns the number of deposits that this person can decide, and the date of the oldest. */
export async function depositsToDecide(db: Db, staffId: bigint | undefined): Promise<{ forMe: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ forMe: number; oldestAt: Date | null }>`
    select count(*)::int as "forMe", min(d.created_at) as "oldestAt" from deposit d where d.id in ${TO_DECIDE}
      and ${staffId ?? null}::bigint is not null and d.member_id <> ${staffId ?? null} and d.first_approved_by is distinct from ${staffId ?? null}`.execute(
    db,
  )
  return rows[0] ?? { forMe: 0, oldestAt: null }
}

/** Returns a deposit's payments, reported by the provider or the chain. */
export async function paymentsOf(db: Db, depositId: string): Promise<PaymentSeen[]> {
  const { rows } = await sql<PaymentSeen>`
    select p.payment_id as id, p.status, p.pay_currency as currency, p.actually_paid as paid, p.credited_amount as credited,
      p.review_reason as review, p.updated_at as at
    from provider_payment p join deposit d on d.id = p.deposit_id where d.public_id = ${depositId}
    union all
    select t.tx_hash, case when t.is_live then t.confirmations || ' confirmations' else 'gone' end, case t.asset when 'USD' then 'usdt' else 'coin' end,
      t.amount, case when t.credited_at is null then 0 else t.amount end,
      case t.held when 'BALANCE_DIFFERS' then 'The address received another amount than the transfer states' when 'REVERSED' then 'Back in the chain after a reorg; its credit was reversed meanwhile' when 'OTHER_TOKEN' then 'Not the token of the invoice' when 'TOO_LATE' then 'Arrived after the invoice was closed' end,
      t.block_time
    from invoice_transfer t join deposit d on d.id = t.deposit_id where d.public_id = ${depositId}
    union all
    select s.tx_hash, s.transfers || case s.transfers when 1 then ' transfer' else ' transfers' end, 'of another token', 0, 0,
      'Contract ' || s.token || ' is not a token of the platform, regardless of its name', s.seen_at
    from chain_unknown_token s join deposit d on d.address = s.address where d.public_id = ${depositId}
    union all
    select d.address, 'at the address', 'native coin', ((n.found - n.expected) / 10000000000)::bigint, 0,
      'The native coin of the chain is not a token of the platform', n.first_seen_at
    from deposit d join chain_difference n on n.kind = 'NATIVE' and n.subject = d.address || ' native' where d.public_id = ${depositId}
    order by at limit 50`.execute(db)
  return rows
}

/** Provider payment, or chain transfer. */
interface PaymentSeen {
  id: string
  status: string
  /** Currency. Units have 8 decimals. */
  currency: string
  paid: Units
  credited: Units
  review: string | null
  at: Date
}

export async function membersOfTransaction(db: Db, hash: string): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select distinct d.member_id as id from invoice_transfer t join deposit d on d.id = t.deposit_id where lower(t.tx_hash) = ${hash.toLowerCase()}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Returns a member's deposits with open reviews, oldest first. */
export async function openReviewsOf(db: Db, memberId: bigint, limit: number): Promise<{ id: string; amount: bigint; createdAt: Date }[]> {
  const { rows } = await sql<{ id: string; amount: bigint; createdAt: Date }>`
    select d.public_id as id, d.amount, d.created_at as "createdAt" from deposit d where d.id in ${REVIEW_IDS}
    and d.member_id = ${memberId} order by d.id limit ${limit}`.execute(db)
  return rows
}

/** Finds hosted deposits by id, and open ones by amount or members. */
export async function depositsFound(
  db: Db,
  { memberIds, id, amount, limit }: { memberIds: readonly bigint[]; id?: string | undefined; amount?: Units | undefined; limit: number },
) {
  const { rows } = await sql<{ id: string; amount: Units; at: Date }>`
    select d.public_id as id, d.amount, d.created_at as at from deposit d where d.method = 'hosted' and d.public_id = ${id ?? ''}
    union select d.public_id, d.amount, d.created_at from deposit d where d.id in ${TO_DECIDE}
      and (d.amount = ${amount ?? null} or d.member_id = any (${memberIds}::bigint[])) limit ${limit}`.execute(db)
  return rows
}

/** Returns the number of invoices that cannot be settled, and the problem of the oldest; undefined if there are none. */
export async function invoiceProblems(db: Db): Promise<{ count: number; problem: string } | undefined> {
  const { rows } = await sql<{ count: number; problem: string }>`
    select count(*) over ()::int as count, problem from deposit where problem is not null order by id limit 1`.execute(db)
  return rows[0]
}
