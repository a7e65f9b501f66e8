import { TRANSFER_MAX } from '@tizara/contract'
import { withdrawRcmCoin } from '@tizara/contract/transfers'
import { call } from '../lib/api.ts'
import { useWallets } from '../wallets/index.ts'
import { CoinToUsd } from './coin-to-usd.tsx'
import { transferMessages } from './transfers.messages.ts'

export interface RcmDialogProps {
  open: boolean
  onClose: () => void
}

/** Coin of the RCM wallet into USD of the deposit wallet, for special members (UI-M-RCM rows, MF-11). */
export function RcmDialog({ open, onClose }: RcmDialogProps) {
  const balance = useWallets().data?.rcmWallet
  if (!open) return null
  return (
    <CoinToUsd
      title={transferMessages.rcm}
      submit="Withdraw"
      wallet="rcmWallet"
      balance={balance}
      balanceField
      bounds={{ max: balance !== undefined && balance < TRANSFER_MAX ? balance : TRANSFER_MAX }}
      hint="Up to 10,000 at a time"
      name={withdrawRcmCoin.name}
      send={(amount, idempotencyKey, quoted) => call(withdrawRcmCoin, { body: { amount }, idempotencyKey, quoted })}
      onClose={onClose}
    />
  )
}
