import { type Units, usdForCoin } from '@tizara/money'
import { type Posting, postEachInTurn } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { onCoinSold } from '../rewards/index.ts'
import { tradeSettings, type Settings } from '../settings/index.ts'
import { firstIds } from './first-ids.ts'
import { lockSalesQueue, neededByRequests, rejectionBehindRequests, SALES_FUND } from './sales-fund.ts'

/** Coin sale in units. `quoted` is the USD amount shown to the member, in units. */
export interface CoinSale {
  memberId: bigint
  wallet: 'icoWallet' | 'rcmWallet'
  amount: Units
  quoted?: Units | undefined
}

/**
 * Swaps coin of My Wallet (MF-10) or of the RCM wallet (MF-11) into USD in the deposit wallet, at the sell price, rounded down to 8
 * decimals. The sales fund pays.
 * @returns ledger id for the coin leg
 * @throws AppError PRICE_CHANGED, INSUFFICIENT_BALANCE, INVALID_AMOUNT if the coin is worth less than the smallest USD unit,
 * SALES_FUND_SHORT with the amount that the fund has
 */
export async function sellCoin(tx: Tx, deps: Deps, input: CoinSale): Promise<bigint> {
  return unwrapSingle(await sellAll(tx, deps, [input]))
}

/**
 * Handles a batch like `sellCoin`, in order. A refused sale has no effect. Open sell requests have priority. While there are any, sales are
 * decided one after the other, and use only the part of the fund that the requests do not need.
 */
export async function sellAll(tx: Tx, deps: Deps, inputs: readonly (CoinSale | AppError)[]): Promise<(bigint | AppError)[]> {
  const at = deps.clock.now()
  const settings = await tradeSettings(tx, at)
  if ((await neededByRequests(tx, at, settings.sellPrice)) === 0n) return postSales(tx, at, settings, inputs)
  await lockSalesQueue(tx)
  const sold: (bigint | AppError)[] = []
  for (const input of inputs) {
    const refused = input instanceof AppError ? input : await rejectionBehindRequests(tx, at, input.amount, settings.sellPrice)
    sold.push(refused ?? unwrapFirst(await postSales(tx, at, settings, [input])))
  }
  return sold
}

const unwrapFirst = ([result]: readonly (bigint | AppError)[]) => result ?? new AppError('INTERNAL')

/** Posts sales at the price in force, in order, without regard to sell requests. A refused sale has no effect. */
export async function postSales(
  tx: Tx,
  at: Date,
  settings: Settings,
  inputs: readonly (CoinSale | AppError)[],
): Promise<(bigint | AppError)[]> {
  const postings = mapOk(inputs, (input) => sale(input, settings, at))
  const posted = await postEachInTurn(tx, postings, SALES_FUND)
  const sold = okValues(
    zipOk(inputs, posted, ({ memberId, amount }, { transfers }) => ({
      memberId,
      coin: amount,
      usd: usdForCoin(amount, settings.sellPrice),
      transferId: transfers[1]?.id ?? 0n,
    })),
  )
  await onCoinSold(tx, at, sold)
  return firstIds(posted)
}

function sale({ memberId: owner, wallet, amount, quoted }: CoinSale, { sellPrice, version }: Settings, at: Date): Posting | AppError {
  const usd = usdForCoin(amount, sellPrice)
  if (quoted !== undefined && quoted !== usd) return new AppError('PRICE_CHANGED')
  if (usd <= 0n) return new AppError('INVALID_AMOUNT')
  return {
    kind: wallet === 'icoWallet' ? 'myWalletToUsd' : 'rcmToUsd',
    cause: { type: 'setting', id: String(version) },
    at,
    ruleVersion: version,
    transfers: [
      { from: { owner, kind: wallet }, to: { system: 'SYS-COIN', asset: 'COIN' }, amount },
      { from: SALES_FUND, to: { owner, kind: 'depositWallet' }, amount: usd },
    ],
  }
}
