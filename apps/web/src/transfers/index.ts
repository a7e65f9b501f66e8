/** Transfers between a member's wallets and to another member. */
import { lazyDialog } from '../lib/lazy-dialog.ts'
import { exchangeDialog } from './lazy-exchange.ts'

export { CoinElsewhere, useExchangeDialog } from './coin-elsewhere.tsx'

export const transferDialogs = {
  exchange: exchangeDialog,
  convert: lazyDialog(() => import('./convert.dialog.tsx')),
  swap: lazyDialog(() => import('./swap.dialog.tsx')),
  'nft-to-deposit': lazyDialog(() => import('./nft-to-deposit.dialog.tsx')),
  'user-transfer': lazyDialog(() => import('./user-transfer.dialog.tsx')),
  'my-to-deposit': lazyDialog(() => import('./my-to-deposit.dialog.tsx')),
  rcm: lazyDialog(() => import('./rcm.dialog.tsx')),
}
