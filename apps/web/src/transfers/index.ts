/** Transfers between a member's wallets and to another member. */
import { laterDialog } from '../lib/later-dialog.ts'
import { exchangeDialog } from './exchange-later.ts'

export { CoinElsewhere, useExchangeDialog } from './coin-elsewhere.tsx'

export const transferDialogs = {
  exchange: exchangeDialog,
  convert: laterDialog(() => import('./convert.dialog.tsx')),
  swap: laterDialog(() => import('./swap.dialog.tsx')),
  'nft-to-deposit': laterDialog(() => import('./nft-to-deposit.dialog.tsx')),
  'user-transfer': laterDialog(() => import('./user-transfer.dialog.tsx')),
  'my-to-deposit': laterDialog(() => import('./my-to-deposit.dialog.tsx')),
  rcm: laterDialog(() => import('./rcm.dialog.tsx')),
}
