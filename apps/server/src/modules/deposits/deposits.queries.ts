import type { depositRequestRow, depositRequests, paymentRow } from '@tizara/contract/deposits'
import type { Page, QueryOf } from '@tizara/contract'
import type { InferOutput } from 'valibot'
import type { Db } from '../../platform/db/database.ts'
import { readHistory, sumByStatus } from '../histories/index.ts'
import { deposits } from './history.ts'

type Query = QueryOf<typeof depositRequests>

/** Returns a page of a member's deposits, newest first, with USD sums over all pages. */
async function pageOfDeposits(db: Db, memberId: bigint, query: Query) {
  const { rows, counters, meta } = await readHistory(db, deposits, memberId, query)
  return { rows, meta: { ...meta, sum: counters.sum, sumByStatus: sumByStatus(counters) } }
}

/**
 * Lists a member's deposit requests (API-60). Amounts are in USD: the requested amount until the first credit, then the credited minus the
 * reversed amount; coin counts at the coin price. `sumByStatus.APPROVE` is Total Deposit (UI-DASH-21).
 * @param query page, limit and a UTC day range
 */
export async function listDepositRequests(db: Db, memberId: bigint, query: Query): Promise<Page<InferOutput<typeof depositRequestRow>>> {
  const { rows, meta } = await pageOfDeposits(db, memberId, query)
  const data = rows.map((deposit) => ({
    status: deposit.status,
    amount: deposit.usd_amount - deposit.reversed_usd,
    createdAt: deposit.created_at,
    id: deposit.public_id,
    receipt: { kind: deposits.kind, id: deposit.public_id },
  }))
  return { data, meta }
}

/**
 * Lists a member's payment records (API-74), requested and paid, in each deposit's asset. Sums are in USD, because coin and USD
 * cannot be added (API-09).
 * @param memberId the caller, regardless of the query's userId
 * @param query page, limit and a UTC day range
 */
export async function listPayments(db: Db, memberId: bigint, query: Query): Promise<Page<InferOutput<typeof paymentRow>>> {
  const { rows, meta } = await pageOfDeposits(db, memberId, query)
  const { name } = await db.selectFrom('member').select('name').where('id', '=', memberId).executeTakeFirstOrThrow()
  const data = rows.map((deposit) => ({
    createdAt: deposit.created_at,
    user: { name },
    orderId: deposit.public_id,
    priceAmount: deposit.amount,
    payAmountNum: deposit.credited,
    desc: deposit.description,
    status: deposit.status,
    id: deposit.public_id,
    receipt: { kind: deposits.kind, id: deposit.public_id },
  }))
  return { data, meta }
}
