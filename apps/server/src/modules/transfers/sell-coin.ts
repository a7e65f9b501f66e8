import { type Units, usdForCoin } from '@tizara/money'
import { type Posting, postEach } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { onCoinSold } from '../rewards/index.ts'
import { currentSettings, type Settings } from '../settings/index.ts'
import { firstIds } from './first-ids.ts'

/** Whose coin, out of which wallet, how many units; `quoted`: how many USD units the member was shown. */
export interface CoinSale {
  memberId: bigint
  wallet: 'icoWallet' | 'rcmWallet'
  amount: Units
  quoted?: Units | undefined
}

/**
 * Swaps coin of my wallet (MF-10) or of the RCM wallet (MF-11) into USD of the deposit wallet at the coin price, rounded
 * down at the eighth decimal.
 * @returns id of the coin leg in the ledger
 * @throws AppError PRICE_CHANGED, INSUFFICIENT_BALANCE; INVALID_AMOUNT when the coin are worth less than the smallest unit of USD
 */
export async function sellCoin(tx: Tx, deps: Deps, input: CoinSale): Promise<bigint> {
  return unwrapSingle(await sellAll(tx, deps, [input]))
}

/** As `sellCoin`, for sales that arrive together, in order; a refused one leaves nothing behind. */
export async function sellAll(tx: Tx, deps: Deps, inputs: readonly (CoinSale | AppError)[]): Promise<(bigint | AppError)[]> {
  const at = deps.clock.now()
  const settings = await currentSettings(tx, at)
  const wanted = mapOk(inputs, (input) => sale(input, settings, at))
  const posted = await postEach(tx, wanted)
  const sold = okValues(
    zipOk(inputs, posted, ({ memberId, amount }, { transfers }) => ({
      memberId,
      coin: amount,
      usd: usdForCoin(amount, settings.coinPrice),
      transferId: transfers[1]?.id ?? 0n,
    })),
  )
  await onCoinSold(tx, at, sold)
  return firstIds(posted)
}

function sale({ memberId: owner, wallet, amount, quoted }: CoinSale, { coinPrice, version }: Settings, at: Date): Posting | AppError {
  const usd = usdForCoin(amount, coinPrice)
  if (quoted !== undefined && quoted !== usd) return new AppError('PRICE_CHANGED')
  if (usd <= 0n) return new AppError('INVALID_AMOUNT')
  return {
    kind: wallet === 'icoWallet' ? 'myWalletToUsd' : 'rcmToUsd',
    cause: { type: 'setting', id: String(version) },
    at,
    ruleVersion: version,
    transfers: [
      { from: { owner, kind: wallet }, to: { house: 'SYS-COIN', asset: 'COIN' }, amount },
      { from: { house: 'SYS-CONVERT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: usd },
    ],
  }
}
