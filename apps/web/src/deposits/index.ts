/** Deposits: two forms, the invoice page and the payment history. */
import { lazyDialog } from '../lib/lazy-dialog.ts'

export const depositDialogs = {
  deposit: lazyDialog(() => import('./deposit.dialog.tsx')),
  payment: lazyDialog(() => import('./token-deposit.dialog.tsx')),
}
