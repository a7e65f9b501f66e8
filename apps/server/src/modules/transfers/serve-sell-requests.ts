import { mulDiv, ONE, usdForCoin } from '@tizara/money'
import { sql } from 'kysely'
import type { Batch, Lease } from '../../jobs/lease.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordEvents } from '../notices/index.ts'
import { tradeSettings } from '../settings/index.ts'
import { lockSalesQueue, salesFundBalance, servableRequests, type ServableRequest } from './sales-fund.ts'
import { postSales } from './sell-coin.ts'
import { expireRequests } from './sell-requests.ts'

/** Maximum number of requests that one run of the job serves. */
const MAX_PER_RUN = 100
/** Smallest part of a request that is sold separately, in USD units (1 USD). This limits the number of sales of a request. */
const MIN_PART = ONE

/**
 * Serves open sell requests in order of time while the sales fund has enough, and closes expired requests (MF-10).
 * @returns the number of sales and expired requests
 */
export async function serveSellRequests(lease: Lease, deps: Deps): Promise<number> {
  const expired = await lease.inTransaction((tx) => expireRequests(tx, deps.clock.now()))
  let left = MAX_PER_RUN
  const served = await lease.untilDone(async (tx) => {
    const done = await serveOldest(tx, deps)
    left -= 1
    return { done, more: done > 0 && left > 0 } satisfies Batch
  })
  return expired + served
}

/**
 * Sells the coin of the oldest request, or the part that the fund can pay.
 * @returns 1; 0 if nothing can be served now
 */
export async function serveOldest(tx: Tx, deps: Deps): Promise<number> {
  const at = deps.clock.now()
  await lockSalesQueue(tx)
  const settings = await tradeSettings(tx, at)
  const { sellPrice } = settings
  const found = await sql<ServableRequest>`${servableRequests(at, sellPrice)} limit 1 for no key update of r`.execute(tx)
  const request = found.rows[0]
  if (request === undefined) return 0
  const affordable = mulDiv(await salesFundBalance(tx), ONE, sellPrice, 'down')
  const amount = request.coin < affordable ? request.coin : affordable
  const usd = usdForCoin(amount, sellPrice)
  if (usd < MIN_PART && amount < request.coin) return 0
  const [sold] = await postSales(tx, at, settings, [{ memberId: request.memberId, wallet: 'icoWallet', amount }])
  // The member spent the coin, or staff moved USD out of the fund, at the same moment: the next run decides again.
  if (sold === undefined || sold instanceof AppError) return 0
  await tx.insertInto('sell_request_sale').values({ transfer_id: sold, request_id: request.id }).execute()
  const step = amount === request.unsold ? 'sold' : 'part'
  await recordEvents(tx, at, [
    {
      memberId: request.memberId,
      event: 'sell-request',
      cause: String(sold),
      amount: usd,
      asset: 'usd',
      facts: { step, request: request.publicId, transfer: String(sold) },
    },
  ])
  await sql`update sell_request set sold = sold + ${amount}, received = received + ${usd},
      status = case when sold + ${amount} = amount then 'SOLD' else status end,
      closed_at = case when sold + ${amount} = amount then ${at}::timestamptz end
    where id = ${request.id}`.execute(tx)
  return 1
}
