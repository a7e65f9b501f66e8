/** Withdrawals: payouts of USD and of coin, and their histories. */
import { lazy } from 'react'

export const loadWithdraw = () => import('./withdraw.dialog.tsx')
export const loadBridge = () => import('./bridge.dialog.tsx')
export const WithdrawDialog = lazy(async () => ({ default: (await loadWithdraw()).WithdrawDialog }))
export const BridgeDialog = lazy(async () => ({ default: (await loadBridge()).BridgeDialog }))
