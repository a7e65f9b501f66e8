import { lazyDialog } from '../lib/lazy-dialog.ts'

/** Transfer from the ICO Wallet to My Wallet, loaded when opened. */
export const exchangeDialog = lazyDialog(() => import('./exchange.dialog.tsx'))
