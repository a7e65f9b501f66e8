/** Coin: price and purchase. */
import { laterDialog } from '../lib/later-dialog.ts'

export const coinDialogs = { 'buy-token': laterDialog(() => import('./buy-token.dialog.tsx')) }
export { coinMessages } from './coin.messages.ts'
export { usePriceHistory } from './coin.queries.ts'
