/** Withdrawals: USD and coin payouts, and their histories. */
import { laterDialog } from '../lib/later-dialog.ts'

export const withdrawalDialogs = {
  withdraw: laterDialog(() => import('./withdraw.dialog.tsx')),
  bridge: laterDialog(() => import('./bridge.dialog.tsx')),
}
export { type WaitingTransfer, WaitingTransferDialog, WaitingTransfers } from './waiting-transfers.tsx'
