/** Deposits: two forms, the invoice page and the payment history. */
import { lazy } from 'react'

export const loadDeposit = () => import('./deposit.dialog.tsx')
export const loadTokenDeposit = () => import('./token-deposit.dialog.tsx')
export const DepositDialog = lazy(async () => ({ default: (await loadDeposit()).DepositDialog }))
export const TokenDepositDialog = lazy(async () => ({ default: (await loadTokenDeposit()).TokenDepositDialog }))
