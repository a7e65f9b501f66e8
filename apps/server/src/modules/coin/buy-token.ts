import { formatUnits, isRounded, quoteBuy, type Units } from '@tizara/money'
import { postEach } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { onCoinBought, saleTerms } from '../rewards/index.ts'
import { type Settings, deferTradeSettings } from '../settings/index.ts'

/** A member's purchase request, with the price and total shown on screen. */
export interface BuyTokenInput {
  memberId: bigint
  /** Coin units. */
  coinAmount: Units
  /** Shown price of one coin in USD units. */
  coinPrice: Units
  /** USD units with 2 decimals, as shown. */
  totalPrice: Units
}

/** A valid request with its charge. */
interface Purchase extends BuyTokenInput {
  publicId: string
  /** USD units. */
  charged: Units
}

/**
 * Buys coin with USD from the deposit wallet (MF-12). The server computes price and total again, and rejects a request with other values
 * (VA-89). The charge is amount x price, rounded up to 8 decimals. New money is spent first, and the sponsor gets a reward for this part
 * (RW-01).
 * @returns the purchase's public id
 * @throws AppError PRICE_CHANGED, BELOW_MINIMUM, ABOVE_MAXIMUM, INSUFFICIENT_BALANCE, COIN_SOLD_OUT, NOT_COVERED
 */
export async function buyToken(tx: Tx, deps: Deps, input: BuyTokenInput): Promise<string> {
  return unwrapSingle(await buyTokens(tx, deps, [input]))
}

/**
 * Handles a batch of purchases like `buyToken`, in order. A refused purchase has no effect.
 * @throws AppError NOT_COVERED when their rewards together are not covered
 */
export async function buyTokens(tx: Tx, deps: Deps, inputs: readonly BuyTokenInput[]): Promise<(string | AppError)[]> {
  const at = deps.clock.now()
  const readSettings = await deferTradeSettings(tx, at)
  const terms = await saleTerms(tx, at, 'COIN')
  const settings = readSettings()
  const wanted = inputs.map((input) => pricePurchase(input, settings, deps.ids.publicId()))
  const posted = await postEach(
    tx,
    mapOk(wanted, (purchase) => postingOf(purchase, settings, at)),
  )
  const bought = zipOk(wanted, posted, (purchase, { postingId, transfers }) => ({
    ...purchase,
    postingId,
    newMoney: transfers[0]?.newMoney ?? 0n,
  }))
  const purchases = okValues(bought)
  const rows = purchases.map((one) => ({
    public_id: one.publicId,
    member_id: one.memberId,
    coin_amount: one.coinAmount,
    coin_price: one.coinPrice,
    total_price: one.totalPrice,
    charged: one.charged,
    settings_version: settings.version,
    posting_id: one.postingId,
    created_at: at,
  }))
  const inserted = await insertRows(tx, 'coin_purchase', rows, { returning: ['id', 'public_id'] })
  const ids = new Map(inserted.map((row) => [row.public_id, row.id]))
  await onCoinBought(
    tx,
    at,
    terms,
    purchases.map((one) => ({ ...one, purchaseId: ids.get(one.publicId) ?? 0n })),
  )
  return mapOk(bought, ({ publicId }) => publicId)
}

function pricePurchase(input: BuyTokenInput, settings: Settings, publicId: string): Purchase | AppError {
  const { charged, totalPrice } = quoteBuy(input.coinAmount, settings.buyPrice)
  if (input.coinPrice !== settings.buyPrice || !isRounded(input.totalPrice, charged)) return new AppError('PRICE_CHANGED')
  if (input.coinAmount < settings.minCoin) return new AppError('BELOW_MINIMUM', { minimum: formatUnits(settings.minCoin) })
  if (input.coinAmount > settings.maxCoin) return new AppError('ABOVE_MAXIMUM', { maximum: formatUnits(settings.maxCoin) })
  return { ...input, publicId, charged, totalPrice }
}

const postingOf = ({ memberId: owner, publicId, charged, coinAmount }: Purchase, settings: Settings, at: Date) => ({
  kind: 'buyToken' as const,
  cause: { type: 'coin_purchase', id: publicId },
  at,
  ruleVersion: settings.version,
  transfers: [
    {
      from: { owner, kind: 'depositWallet' as const },
      to: { system: 'SYS-SALES' as const, asset: 'USD' as const },
      amount: charged,
      newMoney: charged,
    },
    {
      from: { system: 'SYS-COIN' as const, asset: 'COIN' as const },
      to: { owner, kind: settings.buyTokenCreditWallet },
      amount: coinAmount,
    },
  ],
})
