/** Coin: price and purchase. */
import { lazyDialog } from '../lib/lazy-dialog.ts'

export const coinDialogs = { 'buy-token': lazyDialog(() => import('./buy-token.dialog.tsx')) }
export { coinMessages } from './coin.messages.ts'
export { usePriceHistory } from './coin.queries.ts'
