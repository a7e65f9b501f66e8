import { formatUnits, isRounded, quoteBuy, type Units } from '@tizara/money'
import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { onCoinBought } from '../rewards/index.ts'
import { currentSettings } from '../settings/index.ts'

/** What a member asks for, with the figures the screen showed. */
export interface BuyTokenWish {
  memberId: bigint
  /** Coin units. */
  coinAmount: Units
  /** USD units for one coin, as shown. */
  coinPrice: Units
  /** USD units with 2 decimals, as shown. */
  totalPrice: Units
}

/**
 * Buys coin for USD of the deposit wallet (MF-12). The price and the total come from the server's own settings; figures
 * that differ from them are refused (VA-89). What is charged is the exact product, rounded up at the eighth decimal.
 * @returns id of the purchase on the wire
 * @throws AppError PRICE_CHANGED, BELOW_MINIMUM, ABOVE_MAXIMUM, INSUFFICIENT_BALANCE, COIN_SOLD_OUT
 */
export async function buyToken(tx: Tx, deps: Deps, wish: BuyTokenWish): Promise<string> {
  const at = deps.clock.now()
  const settings = await currentSettings(tx, at)
  const quote = quoteBuy(wish.coinAmount, settings.coinPrice)
  if (wish.coinPrice !== settings.coinPrice || !isRounded(wish.totalPrice, quote.charged)) throw new AppError('PRICE_CHANGED')
  if (wish.coinAmount < settings.minCoin) throw new AppError('BELOW_MINIMUM', { minimum: formatUnits(settings.minCoin) })
  if (wish.coinAmount > settings.maxCoin) throw new AppError('ABOVE_MAXIMUM', { maximum: formatUnits(settings.maxCoin) })
  const publicId = deps.ids.publicId()
  const member = wish.memberId
  const posted = await post(tx, {
    kind: 'buyToken',
    cause: { type: 'coin_purchase', id: publicId },
    at,
    ruleVersion: settings.version,
    transfers: [
      { from: { owner: member, kind: 'depositWallet' }, to: { house: 'SYS-SALES', asset: 'USD' }, amount: quote.charged },
      { from: { house: 'SYS-COIN', asset: 'COIN' }, to: { owner: member, kind: settings.buyTokenCreditWallet }, amount: wish.coinAmount },
    ],
  })
  const purchase = await tx
    .insertInto('coin_purchase')
    .values({
      public_id: publicId,
      member_id: member,
      coin_amount: wish.coinAmount,
      coin_price: settings.coinPrice,
      total_price: quote.totalPrice,
      charged: quote.charged,
      settings_version: settings.version,
      posting_id: posted.postingId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await onCoinBought(tx, deps, { memberId: member, purchaseId: purchase.id, publicId, coinAmount: wish.coinAmount, at })
  return publicId
}
