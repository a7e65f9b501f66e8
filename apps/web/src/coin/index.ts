/** The coin: its price and its purchase. */
import { lazy } from 'react'

export const loadBuyToken = () => import('./buy-token.dialog.tsx')
export const BuyTokenDialog = lazy(async () => ({ default: (await loadBuyToken()).BuyTokenDialog }))
export { coinMessages } from './coin.messages.ts'
export { usePriceHistory } from './coin.queries.ts'
