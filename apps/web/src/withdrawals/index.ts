/** Withdrawals: USD and coin payouts, and their histories. */
import { lazyDialog } from '../lib/lazy-dialog.ts'

export const withdrawalDialogs = {
  withdraw: lazyDialog(() => import('./withdraw.dialog.tsx')),
  bridge: lazyDialog(() => import('./bridge.dialog.tsx')),
}
export { OpenPayouts } from './open-payouts.tsx'
export { type WaitingTransfer, WaitingTransferDialog, WaitingTransfers } from './waiting-transfers.tsx'
