import { SWAP_TO_USD_MIN } from '@tizara/contract'
import { myWalletToUsd } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useWallets } from '../wallets/index.ts'
import { CoinToUsd } from './coin-to-usd.tsx'
import { transferMessages } from './transfers.messages.ts'

const bounds = { min: SWAP_TO_USD_MIN }

/** Converts the coin of My Wallet (`icoWallet` in the API) to USD in the deposit wallet (UI-M-MY2DEP rows, MF-10). */
export default function MyToDepositDialog({ onClose }: DialogProps) {
  return (
    <CoinToUsd
      route={myWalletToUsd}
      title={transferMessages.myToDeposit}
      submit={t('Swap')}
      wallet="icoWallet"
      balance={useWallets().data?.icoWallet}
      bounds={bounds}
      hint={t('Min 1000')}
      onClose={onClose}
    />
  )
}
