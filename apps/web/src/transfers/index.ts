/** Transfers: between a member's own wallets and to another member. */
import { lazy } from 'react'

export const loadExchange = () => import('./exchange.dialog.tsx')
export const loadConvert = () => import('./convert.dialog.tsx')
export const loadSwap = () => import('./swap.dialog.tsx')
export const loadNftToDeposit = () => import('./nft-to-deposit.dialog.tsx')
export const loadUserTransfer = () => import('./user-transfer.dialog.tsx')
export const loadMyToDeposit = () => import('./my-to-deposit.dialog.tsx')
export const loadRcm = () => import('./rcm.dialog.tsx')
export const ExchangeDialog = lazy(async () => ({ default: (await loadExchange()).ExchangeDialog }))
export const ConvertDialog = lazy(async () => ({ default: (await loadConvert()).ConvertDialog }))
export const SwapDialog = lazy(async () => ({ default: (await loadSwap()).SwapDialog }))
export const NftToDepositDialog = lazy(async () => ({ default: (await loadNftToDeposit()).NftToDepositDialog }))
export const UserTransferDialog = lazy(async () => ({ default: (await loadUserTransfer()).UserTransferDialog }))
export const MyToDepositDialog = lazy(async () => ({ default: (await loadMyToDeposit()).MyToDepositDialog }))
export const RcmDialog = lazy(async () => ({ default: (await loadRcm()).RcmDialog }))
