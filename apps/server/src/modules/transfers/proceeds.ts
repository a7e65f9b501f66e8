import { formatUnits, type Units } from '@tizara/money'
import { exactOf } from '../../gateways/chain/index.ts'
import { balanceSheetOf, creditedSince, lockSystemAccounts, systemBalances } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { addDays, startOfDay, utcDay } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { currentSettings, tradeSettings } from '../settings/index.ts'
import { insertProceeds, walletHoldings } from '../withdrawals/index.ts'
import { lockSalesQueue, neededByRequests, SALES_FUND } from './sales-fund.ts'

/** Figures that bound the proceeds of sales. All amounts are USD units. */
export interface ProceedsFigures {
  /** The least of the four bounds below. */
  available: Units
  /** Money in the fund that is older than the hold period. What left the fund counts as its oldest money. */
  pastHold: Units
  /** Money in the fund that open sell requests leave over. */
  pastRequests: Units
  /** Free amount of the balance sheet. */
  free: Units
  /** USD in the hot wallet at the last comparison. */
  inWallet: Units
}

/** Proceeds for an address of the operator, in USD units. */
export interface ProceedsPayout {
  amount: Units
  /** One of PROCEEDS_ADDRESSES, in any case. */
  address: string
}

const positive = (value: Units): Units => (value > 0n ? value : 0n)
const leastOf = (first: Units, ...others: Units[]): Units => others.reduce((least, one) => (one < least ? one : least), first)

/**
 * Reads how much of the sales fund can be sent to the operator now (docs/decisions/0054-proceeds-of-sales.md). The hold period counts
 * whole UTC days. The cost grows with the fund's receipts of these days only.
 */
export async function readProceeds(db: Db, { config }: Pick<Deps, 'config'>, now: Date): Promise<ProceedsFigures> {
  const { rewardHoldDays } = await currentSettings(db, now)
  const { sellPrice } = await tradeSettings(db, now)
  const from = startOfDay(addDays(utcDay(now), -rewardHoldDays))
  const recent = await creditedSince(db, { ...SALES_FUND, from, except: 'proceedsReturned' })
  const needed = await neededByRequests(db, now, sellPrice)
  const { holdings } = await walletHoldings(db, config)
  const accounts = await systemBalances(db)
  const fund = accounts.find(({ system, asset }) => system === 'SYS-SALES' && asset === 'USD')?.balance ?? 0n
  const bounds = {
    pastHold: positive(fund - recent),
    pastRequests: positive(fund - needed),
    free: positive(balanceSheetOf(accounts).free),
    inWallet: positive(holdings.find(({ asset }) => asset === 'USD')?.balance ?? 0n),
  }
  return { ...bounds, available: leastOf(bounds.pastHold, bounds.pastRequests, bounds.free, bounds.inWallet) }
}

/**
 * Checks proceeds before their proposal and before their approval.
 * @throws AppError NOT_APPROVED if payouts are sent by hand; INVALID_ADDRESS for an address that is not in PROCEEDS_ADDRESSES;
 * PROCEEDS_SHORT with the available amount
 */
export async function assertProceeds(db: Db, deps: Deps, { amount, address }: ProceedsPayout): Promise<void> {
  const { payouts, chain, proceedsAddresses } = deps.config
  if (payouts === undefined || chain === undefined) throw new AppError('NOT_APPROVED')
  if (!proceedsAddresses.some((one) => one.address === address.toLowerCase())) throw new AppError('INVALID_ADDRESS')
  const { available } = await readProceeds(db, deps, deps.clock.now())
  if (amount > available) throw new AppError('PROCEEDS_SHORT', { available: formatUnits(available) })
}

/**
 * Sends approved proceeds: takes them out of the fund and queues their payout. It holds the fund, the fees, the losses and imported balances locked
 * while it checks, so that no sale, second payout or booked loss uses the same money.
 * @returns the payout's public id
 * @throws AppError as `assertProceeds`; NO_SURPLUS if other proceeds are open
 */
export async function sendProceeds(tx: Tx, deps: Deps, proceeds: ProceedsPayout): Promise<string> {
  await lockSalesQueue(tx)
  await lockSystemAccounts(tx, 'USD', ['SYS-SALES', 'SYS-FEE', 'SYS-LOSS', 'SYS-IMPORT'])
  await assertProceeds(tx, deps, proceeds)
  const { payouts } = deps.config
  if (payouts === undefined) throw new AppError('NOT_APPROVED')
  const exact = exactOf(proceeds.amount, payouts.usd.decimals)
  return (await insertProceeds(tx, deps, { to: proceeds.address.toLowerCase(), exact })).publicId
}
