import { swapNativeToMyWallet } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { AmountField, arrives, leaves, MoneyDialog, remains, useMoneyForm, useWallets } from '../wallets/index.ts'
import { ReadOnlyBalance } from './read-only-balance.tsx'
import { transferMessages } from './transfers.messages.ts'

/** Moves coin from the native wallet to My Wallet, 1:1 (UI-M-SWAP rows, MF-07). */
export default function SwapDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.nativeWallet
  const form = useMoneyForm({
    route: swapNativeToMyWallet,
    initial: { amount: '' },
    amount: { name: 'amount', wallet: 'nativeWallet', bounds: balance === undefined ? {} : { max: balance } },
    body: (_, amount) => ({ amount }),
    closesOnError: true,
    onClose,
  })
  const { typed } = form
  return (
    <MoneyDialog
      title={transferMessages.swap}
      onClose={onClose}
      form={form}
      submit={t('Swap')}
      preview={[
        leaves('nativeWallet', typed, tokenSymbol),
        { label: t('Rate'), value: '1 : 1' },
        arrives(t('Arrives in My Wallet'), typed, tokenSymbol),
        remains('nativeWallet', balance, typed, tokenSymbol),
      ]}
    >
      <ReadOnlyBalance wallet="nativeWallet" balance={balance} />
      <AmountField label={t('Amount')} {...form.amount} max={balance} />
    </MoneyDialog>
  )
}
