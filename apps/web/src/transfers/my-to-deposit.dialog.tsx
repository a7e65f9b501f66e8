import { SWAP_TO_USD_MIN } from '@tizara/contract'
import { myWalletToUsd } from '@tizara/contract/transfers'
import { call } from '../lib/api.ts'
import { useWallets } from '../wallets/index.ts'
import { CoinToUsd } from './coin-to-usd.tsx'
import { transferMessages } from './transfers.messages.ts'

export interface MyToDepositDialogProps {
  open: boolean
  onClose: () => void
}

const bounds = { min: SWAP_TO_USD_MIN }

/** Coin of my wallet into USD of the deposit wallet (UI-M-MY2DEP rows, MF-10). */
export function MyToDepositDialog({ open, onClose }: MyToDepositDialogProps) {
  const balance = useWallets().data?.icoWallet
  if (!open) return null
  return (
    <CoinToUsd
      title={transferMessages.myToDeposit}
      submit="Swap"
      wallet="icoWallet"
      balance={balance}
      bounds={bounds}
      hint="Min 1000"
      name={myWalletToUsd.name}
      send={(amount, idempotencyKey, quoted) => call(myWalletToUsd, { body: { amount }, idempotencyKey, quoted })}
      onClose={onClose}
    />
  )
}
