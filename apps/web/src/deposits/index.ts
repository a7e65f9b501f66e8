/** Deposits: two forms, the invoice page and the payment history. */
import { laterDialog } from '../lib/later-dialog.ts'

export const depositDialogs = {
  deposit: laterDialog(() => import('./deposit.dialog.tsx')),
  payment: laterDialog(() => import('./token-deposit.dialog.tsx')),
}
