import * as v from 'valibot'
import { amount, coinInput, echoed, extra, minAmount, moment, wholeInQuery } from './fields.ts'
import { BUY_TOKEN_MIN } from './limits.ts'
import { listOf, ownList } from './paging.ts'
import { memberAct, memberRead } from './route.ts'
import { done, rowExtras } from './wallets.ts'

export const buyToken = memberAct({
  name: 'buyToken',
  path: '/buy-token',
  money: true,
  summary: 'Buys coin with USD of the deposit wallet (API-46, MF-12). Rejects a price that is no longer current.',
  body: v.object({ coinPrice: echoed, coinAmount: v.pipe(coinInput, minAmount(BUY_TOKEN_MIN)), totalPrice: echoed }),
  reply: done('buy-token'),
  errors: ['PRICE_CHANGED', 'BELOW_MINIMUM', 'ABOVE_MAXIMUM', 'INSUFFICIENT_BALANCE', 'COIN_SOLD_OUT', 'NOT_COVERED'],
})

/** Coin purchase (EN-23). */
export const buyTokenRow = v.object({
  coinAmount: amount,
  coinPrice: amount,
  totalPrice: amount,
  createdAt: moment,
  /** `REVERSED` if reversed; absent otherwise. */
  status: extra(v.string()),
  ...rowExtras('buy-token'),
})

export const buyTokenHistory = ownList({
  name: 'buyTokenHistory',
  path: '/buy-token',
  history: 'buy-token',
  summary: "Lists the member's coin purchases (API-65).",
  reply: listOf(buyTokenRow),
})

export const coinPriceHistory = memberRead({
  name: 'coinPriceHistory',
  path: '/coin/price-history',
  summary: 'Returns the coin price at the end of each UTC day, oldest first. The last row is the current price.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.object({ days: v.array(v.object({ day: v.string(), coinPrice: amount })) }),
})
