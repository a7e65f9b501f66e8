import { swapNativeToMyWallet } from '@tizara/contract/transfers'
import { call } from '../lib/api.ts'
import { useAppConfig } from '../settings/index.ts'
import {
  AmountField,
  amountFault,
  arrives,
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

export interface SwapDialogProps {
  open: boolean
  onClose: () => void
}

/** Coin of the native wallet to my wallet, 1:1 (UI-M-SWAP rows, MF-07). */
export function SwapDialog({ open, onClose }: SwapDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const balance = useWallets().data?.nativeWallet
  const bounds = balance === undefined ? {} : { max: balance }
  const form = useMoneyForm({
    name: swapNativeToMyWallet.name,
    initial: { amount: '' },
    validate: ({ amount }) => {
      const fault = amountFault(amount, 'coin', bounds)
      return fault === undefined ? {} : { amount: fault }
    },
    body: ({ amount }) => ({ amount: readTyped(amount, 'coin') ?? 0n }),
    send: (body, idempotencyKey) => call(swapNativeToMyWallet, { body, idempotencyKey }),
    failed: { title: walletMessages.failed, closes: true },
    done: { fallback: walletMessages.done },
    onClose,
  })
  const typed = readTyped(form.values.amount, 'coin')
  return (
    <MoneyDialog
      title={transferMessages.swap}
      onClose={onClose}
      form={form}
      submit="Swap"
      preview={[
        leaves('nativeWallet', typed, tokenSymbol),
        { label: 'Rate', value: '1 : 1' },
        arrives('Arrives in My Wallet', typed, tokenSymbol),
        remains('nativeWallet', balance, typed, tokenSymbol),
      ]}
    >
      <ReadOnlyBalance wallet="nativeWallet" balance={balance} />
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="nativeWallet"
        most={balance}
        onFill={(text) => form.set('amount', text)}
      />
    </MoneyDialog>
  )
}
