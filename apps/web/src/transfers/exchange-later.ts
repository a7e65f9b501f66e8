import { laterDialog } from '../lib/later-dialog.ts'

/** The transfer from the ICO Wallet to My Wallet, loaded when it is opened. */
export const exchangeDialog = laterDialog(() => import('./exchange.dialog.tsx'))
