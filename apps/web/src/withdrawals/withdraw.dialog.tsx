import { DEFAULT_NETWORK_FEE_PERCENT, DEFAULT_PLATFORM_FEE_PERCENT, WITHDRAWAL_MIN } from '@tizara/contract'
import { withdrawDeposit, withdrawalHistory } from '@tizara/contract/withdrawals'
import { formatUnits, quoteWithdrawal } from '@tizara/money'
import { call } from '../lib/api.ts'
import { refetch } from '../lib/query.ts'
import {
  AmountField,
  amountFault,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  readTyped,
  remains,
  REQUIRED,
  toAddress,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { AddressField } from './address-field.tsx'
import { withdrawalMessages } from './withdrawals.messages.ts'

export interface WithdrawDialogProps {
  open: boolean
  onClose: () => void
}

const bounds = { min: WITHDRAWAL_MIN }

/** A payout of USD to a Bep 20 address (UI-M-WITHDRAW rows, MF-03). */
export function WithdrawDialog({ open, onClose }: WithdrawDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const balance = useWallets().data?.depositWallet
  const { data: settings } = useGeneralSettings()
  const platform = settings?.platformFeePercent ?? DEFAULT_PLATFORM_FEE_PERCENT
  const network = settings?.networkFeePercent ?? DEFAULT_NETWORK_FEE_PERCENT
  const form = useMoneyForm({
    name: withdrawDeposit.name,
    initial: { amount: '', address: '' },
    validate: ({ amount, address }) => {
      const fault = amountFault(amount, 'usd', bounds)
      return { ...(fault !== undefined && { amount: fault }), ...(address.trim() === '' && { address: REQUIRED }) }
    },
    refuse: ({ amount }) =>
      balance !== undefined && (readTyped(amount, 'usd') ?? 0n) > balance
        ? { title: walletMessages.failed, text: withdrawalMessages.insufficient }
        : undefined,
    body: ({ amount, address }) => ({ amount: readTyped(amount, 'usd') ?? 0n, address: address.trim() }),
    send: (body, idempotencyKey) =>
      call(withdrawDeposit, { body, idempotencyKey, quoted: quoteWithdrawal(body.amount, platform, network).received }),
    failed: { title: walletMessages.failed, closes: false },
    done: { fallback: walletMessages.done, history: '/history/usd-transfer-history' },
    onDone: () => void refetch(withdrawalHistory),
    onClose,
  })
  const typed = readTyped(form.values.amount, 'usd')
  const quote = typed === null ? null : quoteWithdrawal(typed, platform, network)
  return (
    <MoneyDialog
      title={withdrawalMessages.title}
      onClose={onClose}
      form={form}
      submit="Withdraw"
      preview={[
        leaves('depositWallet', typed, 'USD'),
        fee(`Platform fee ${formatUnits(platform)} %`, quote?.platformFee ?? null, 'USD'),
        fee(`Network fee ${formatUnits(network)} %`, quote?.networkFee ?? null, 'USD'),
        toAddress(form.values.address),
        arrives('Receive amount', quote?.received ?? null, 'USD', 2),
        remains('depositWallet', balance, typed, 'USD'),
      ]}
      note="A payout is final once it has been approved. Please compare the whole address."
    >
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="depositWallet"
        balance={balance}
        onFill={(text) => form.set('amount', text)}
        hint="Min $10"
      />
      <AddressField label="Wallet Address (Bep 20)" field={form.field('address')} error={form.errors.address} pending={form.pending} />
    </MoneyDialog>
  )
}
