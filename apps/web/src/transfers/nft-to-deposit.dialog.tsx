import { TRANSFER_MAX } from '@tizara/contract'
import { nftToDepositWallet } from '@tizara/contract/transfers'
import { t } from '@tizara/languages'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { AmountField, arrives, fee, leaves, MoneyDialog, remains, useMoneyForm, useWallets } from '../wallets/index.ts'
import { ReadOnlyBalance } from './read-only-balance.tsx'
import { transferMessages } from './transfers.messages.ts'

const bounds = { max: TRANSFER_MAX }

/** Moves NFT wallet USD to the deposit wallet (UI-M-NFT2DEP rows, MF-08). */
export default function NftToDepositDialog({ onClose }: DialogProps) {
  const balance = useWallets().data?.nftWallet
  const form = useMoneyForm({
    route: nftToDepositWallet,
    initial: { amount: '' },
    amount: { name: 'amount', wallet: 'nftWallet', bounds },
    body: (_, amount) => ({ amount }),
    closesOnError: true,
    onClose,
  })
  const { typed } = form
  return (
    <MoneyDialog
      title={transferMessages.nftToDeposit}
      onClose={onClose}
      form={form}
      submit={t('Transfer')}
      preview={[
        leaves('nftWallet', typed, 'USD'),
        fee(t('Fee'), 0n, 'USD'),
        arrives(t('Arrives in Deposit Wallet'), typed, 'USD'),
        remains('nftWallet', balance, typed, 'USD'),
      ]}
    >
      <ReadOnlyBalance wallet="nftWallet" balance={balance} />
      <AmountField label={t('Amount')} {...form.amount} max={balance} hint={t('Up to 10,000 USD at a time')} />
    </MoneyDialog>
  )
}
