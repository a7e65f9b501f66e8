import { laterDialog } from '../lib/later-dialog.ts'

/** Transfer from the ICO Wallet to My Wallet, loaded when opened. */
export const exchangeDialog = laterDialog(() => import('./exchange.dialog.tsx'))
