import type { Units } from '@tizara/money'
import { balanceOfSystemAccount } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'

/**
 * The ledger account of the sales fund. It receives what members pay for coin and NFTs, and pays for coin that members sell [MF-06,
 * MF-10, MF-11, MF-12]. Its floor is zero (docs/decisions/0035-sales-fund.md).
 */
export const SALES_FUND = { system: 'SYS-SALES', asset: 'USD' } as const

/** Reads what the sales fund can pay now, in USD units. */
export const readSalesFund = async (db: Db): Promise<{ available: Units }> => ({
  available: await balanceOfSystemAccount(db, SALES_FUND.system, SALES_FUND.asset),
})
