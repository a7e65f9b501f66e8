import { CONVERT_MIN, CONVERT_STEP, DEFAULT_CONVERT_RATE } from '@tizara/contract'
import { convertToMyWallet } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import { coinForUsd } from '@tizara/money'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import {
  AmountField,
  arrives,
  leaves,
  MoneyDialog,
  rate,
  remains,
  tradePriceOf,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
} from '../wallets/index.ts'
import { transferMessages } from './transfers.messages.ts'

/** Converts USD of the NFT wallet to coin in My Wallet (UI-M-CONVERT rows, MF-06). */
export default function ConvertDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.nftWallet
  const { data: settings } = useGeneralSettings()
  const trade = tradePriceOf(settings, 'convert')
  const price = trade.price ?? DEFAULT_CONVERT_RATE
  const form = useMoneyForm({
    route: convertToMyWallet,
    initial: { usd: '' },
    amount: {
      name: 'usd',
      wallet: 'nftWallet',
      bounds: { min: CONVERT_MIN, step: CONVERT_STEP, ...(balance !== undefined && { max: balance }) },
    },
    // Amount 0 has its own message, shown first (UI-M-CONVERT-05).
    hasNothingToMove: (usd) => usd === 0n,
    body: (_, usd) => ({ usd }),
    quoted: (_, usd) => coinForUsd(usd, price),
    onClose,
  })
  const { typed } = form
  return (
    <MoneyDialog
      title={transferMessages.convert}
      onClose={onClose}
      form={form}
      submit={t('Convert')}
      preview={[
        leaves('nftWallet', typed, 'USD'),
        rate(tokenSymbol, { ...trade, price }),
        arrives(t('Arrives in My Wallet'), typed === null ? null : coinForUsd(typed, price), tokenSymbol),
        remains('nftWallet', balance, typed, 'USD'),
      ]}
    >
      <AmountField label="USD" {...form.amount} balance={balance} hint={t('From 1 USD, in steps of 0.5')} />
    </MoneyDialog>
  )
}
