import { TRANSFER_MAX } from '@tizara/contract'
import { nftToDepositWallet } from '@tizara/contract/transfers'
import { call } from '../lib/api.ts'
import {
  AmountField,
  amountFault,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  readTyped,
  remains,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { ReadOnlyBalance } from './read-only-balance.tsx'
import { transferMessages } from './transfers.messages.ts'

export interface NftToDepositDialogProps {
  open: boolean
  onClose: () => void
}

const bounds = { max: TRANSFER_MAX }

/** USD of the NFT wallet to the deposit wallet (UI-M-NFT2DEP rows, MF-08). */
export function NftToDepositDialog({ open, onClose }: NftToDepositDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const balance = useWallets().data?.nftWallet
  const form = useMoneyForm({
    name: nftToDepositWallet.name,
    initial: { amount: '' },
    validate: ({ amount }) => {
      const fault = amountFault(amount, 'usd', bounds)
      return fault === undefined ? {} : { amount: fault }
    },
    body: ({ amount }) => ({ amount: readTyped(amount, 'usd') ?? 0n }),
    send: (body, idempotencyKey) => call(nftToDepositWallet, { body, idempotencyKey }),
    failed: { title: walletMessages.failed, closes: true },
    done: { fallback: walletMessages.done },
    onClose,
  })
  const typed = readTyped(form.values.amount, 'usd')
  return (
    <MoneyDialog
      title={transferMessages.nftToDeposit}
      onClose={onClose}
      form={form}
      submit="Transfer"
      preview={[
        leaves('nftWallet', typed, 'USD'),
        fee('Fee', 0n, 'USD'),
        arrives('Arrives in Deposit Wallet', typed, 'USD'),
        remains('nftWallet', balance, typed, 'USD'),
      ]}
    >
      <ReadOnlyBalance wallet="nftWallet" balance={balance} />
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="nftWallet"
        most={balance}
        bounds={bounds}
        onFill={(text) => form.set('amount', text)}
        hint="Up to 10,000 USD at a time"
      />
    </MoneyDialog>
  )
}
