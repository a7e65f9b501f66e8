import { TRANSFER_MAX } from '@tizara/contract'
import { withdrawRcmCoin } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useWallets } from '../wallets/index.ts'
import { CoinToUsd } from './coin-to-usd.tsx'
import { transferMessages } from './transfers.messages.ts'

/** Converts RCM wallet coin to deposit wallet USD, for special members (UI-M-RCM rows, MF-11). */
export default function RcmDialog({ onClose }: DialogProps) {
  const balance = useWallets().data?.rcmWallet
  return (
    <CoinToUsd
      route={withdrawRcmCoin}
      title={transferMessages.rcm}
      submit={t('Withdraw')}
      wallet="rcmWallet"
      balance={balance}
      balanceField
      bounds={{ max: balance !== undefined && balance < TRANSFER_MAX ? balance : TRANSFER_MAX }}
      hint={t('Up to 10,000 at a time')}
      onClose={onClose}
    />
  )
}
