/** Transfers: between a member's own wallets and to another member. */
import { laterDialog } from '../lib/later-dialog.ts'

export const transferDialogs = {
  exchange: laterDialog(() => import('./exchange.dialog.tsx')),
  convert: laterDialog(() => import('./convert.dialog.tsx')),
  swap: laterDialog(() => import('./swap.dialog.tsx')),
  'nft-to-deposit': laterDialog(() => import('./nft-to-deposit.dialog.tsx')),
  'user-transfer': laterDialog(() => import('./user-transfer.dialog.tsx')),
  'my-to-deposit': laterDialog(() => import('./my-to-deposit.dialog.tsx')),
  rcm: laterDialog(() => import('./rcm.dialog.tsx')),
}
