import { formatUnits, type Units, usdForCoin } from '@tizara/money'
import { sql } from 'kysely'
import { balanceOfSystemAccount } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { tradeSettings } from '../settings/index.ts'

/**
 * Ledger account of the sales fund. Members pay for coin and NFTs into the fund, and the fund pays for coin that members sell [MF-06,
 * MF-10, MF-11, MF-12]. The floor is zero (docs/decisions/0035-sales-fund.md).
 */
export const SALES_FUND = { system: 'SYS-SALES', asset: 'USD' } as const

/** Reads the USD in the sales fund, in units. */
export const salesFundBalance = (db: Db): Promise<Units> => balanceOfSystemAccount(db, SALES_FUND.system, SALES_FUND.asset)

/** Reads the amount that the sales fund can pay for a new sale now, in USD units. Open sell requests have priority. */
export async function readSalesFund(db: Db, at: Date): Promise<{ available: Units }> {
  const { sellPrice } = await tradeSettings(db, at)
  return { available: await availableForSales(db, at, sellPrice) }
}

/** An open sell request that could be served now. */
export interface ServableRequest {
  id: bigint
  publicId: string
  memberId: bigint
  /** Coin units that are not sold yet, and the part of these that the wallet has. */
  unsold: Units
  coin: Units
}

/**
 * SQL: open sell requests that can be served at the present price, oldest first, with the coin units that each can sell. The wallet may
 * have less coin than the unsold part. The request of a blocked member waits and delays no other request.
 */
export const servableRequests = (at: Date, price: Units) => sql<ServableRequest>`
  select r.id, r.public_id as "publicId", r.member_id as "memberId", r.amount - r.sold as unsold, least(r.amount - r.sold, a.balance) as coin
  from sell_request r join member m on m.id = r.member_id and m.is_active
  join ledger_account a on a.id = ledger_account_number(r.member_id, 'icoWallet', 'COIN', 0)
  where r.status = 'OPEN' and r.expires_at > ${at} and r.lowest_price <= ${price}
    and div(least(r.amount - r.sold, a.balance)::numeric * ${price}::bigint, 100000000) >= 1
  order by r.id`

/** Returns the USD units that open sell requests need at a price. The cost depends on open requests only. */
export async function neededByRequests(db: Db, at: Date, price: Units): Promise<Units> {
  const found = await sql<{ usd: Units }>`
    select least(coalesce(sum(div(s.coin::numeric * ${price}::bigint, 100000000)), 0), 9223372036854775807)::bigint as usd
    from (${servableRequests(at, price)}) s`.execute(db)
  return found.rows[0]?.usd ?? 0n
}

async function availableForSales(db: Db, at: Date, price: Units): Promise<Units> {
  const [balance, needed] = [await salesFundBalance(db), await neededByRequests(db, at, price)]
  return balance > needed ? balance - needed : 0n
}

/** Orders sales and served requests while requests are open. Held until the transaction ends, and taken before any account. */
export const lockSalesQueue = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('sell requests', 0))`.execute(tx)

/**
 * Rejects a new sale that needs USD of open sell requests.
 * @param tx a transaction that holds the queue's lock
 * @returns the refusal with the amount that is left for new sales; undefined if the sale may be posted
 */
export async function rejectionBehindRequests(tx: Tx, at: Date, amount: Units, price: Units): Promise<AppError | undefined> {
  const available = await availableForSales(tx, at, price)
  if (usdForCoin(amount, price) <= available) return undefined
  return new AppError('SALES_FUND_SHORT', { available: formatUnits(available) })
}
