import { DEFAULT_NETWORK_FEE_PERCENT, DEFAULT_PLATFORM_FEE_PERCENT, WITHDRAWAL_MIN } from '@tizara/contract'
import { withdrawDeposit, withdrawalHistory } from '@tizara/contract/withdrawals'
import { t } from '@tizara/languages'
import { formatUnits, quoteWithdrawal } from '@tizara/money'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import {
  AmountField,
  arrives,
  fee,
  leaves,
  MoneyDialog,
  remains,
  showRejection,
  toAddress,
  useGeneralSettings,
  useMoneyForm,
  useWallets,
  walletMessages,
} from '../wallets/index.ts'
import { NO_PROOF, sendByPasskey } from '../lib/proofs/proof-field.tsx'
import { AddressField, savedOn } from './address-field.tsx'
import { StepUpField, waitsText } from './step-up-field.tsx'
import { useStepUp } from './use-step-up.ts'
import { withdrawalMessages } from './withdrawals.messages.ts'

const bounds = { min: WITHDRAWAL_MIN }

/** Pays USD to a Bep 20 address (UI-M-WITHDRAW rows, MF-03). */
export default function WithdrawDialog({ onClose }: DialogProps) {
  const balance = useWallets().data?.depositWallet
  const { data: settings } = useGeneralSettings()
  const platform = settings?.platformFeePercent ?? DEFAULT_PLATFORM_FEE_PERCENT
  const network = settings?.networkFeePercent ?? DEFAULT_NETWORK_FEE_PERCENT
  const quoteOf = (amount: bigint) => quoteWithdrawal(amount, platform, network)
  const stepUp = useStepUp()
  const inputOf = (address: string) => ({ kind: 'withdrawal' as const, address: address.trim(), network: 0 as const })
  const form = useMoneyForm({
    route: withdrawDeposit,
    initial: { amount: '', address: '', ...NO_PROOF },
    amount: { name: 'amount', wallet: 'depositWallet', bounds },
    validate: ({ address }) => (address.trim() === '' ? { address: t('This field is required') } : {}),
    reject: (_, amount) => {
      if (balance === undefined || amount <= balance) return
      void showRejection(walletMessages.failed, withdrawalMessages.insufficient, 'warning')
      return {}
    },
    confirm: async ({ address, ...proof }, amount) => {
      const refused = await stepUp.prove(inputOf(address), amount, proof)
      return refused === undefined || { fields: { proof: refused } }
    },
    body: ({ address }, amount) => ({ amount, address: address.trim(), ...stepUp.part(inputOf(address), amount) }),
    quoted: (_, amount) => quoteOf(amount).received,
    history: () => '/history/usd-transfer-history',
    onSettled: stepUp.settled,
    next: ({ waitsUntil }) => (waitsUntil === undefined ? undefined : waitsText(waitsUntil)),
    refetches: [withdrawalHistory],
    onClose,
  })
  const { typed } = form
  const quote = typed === null ? null : quoteOf(typed)
  return (
    <MoneyDialog
      title={withdrawalMessages.title}
      onClose={onClose}
      form={form}
      submit={t('Withdraw')}
      preview={[
        leaves('depositWallet', typed, 'USD'),
        fee(t('Platform fee {platform} %', { platform: formatUnits(platform) }), quote?.platformFee ?? null, 'USD'),
        fee(t('Network fee {network} %', { network: formatUnits(network) }), quote?.networkFee ?? null, 'USD'),
        toAddress(form.values.address),
        arrives(t('Receive amount'), quote?.received ?? null, 'USD', 2),
        remains('depositWallet', balance, typed, 'USD'),
      ]}
      note={t('A payout is final once it has been approved. Please compare the whole address.')}
    >
      <AmountField label={t('Amount')} {...form.amount} balance={balance} hint={t('Min $10')} />
      <AddressField
        label={t('Wallet Address (Bep 20)')}
        field={form.field('address')}
        error={form.errors.address}
        pending={form.pending}
        saved={savedOn(stepUp.guard, 0)}
        onPick={(address) => form.set('address', address)}
      />
      <StepUpField
        guard={stepUp.guard}
        ask={stepUp.askFor(inputOf(form.values.address))}
        field={form.field('proof')}
        error={form.errors.proof}
        pending={form.pending}
        onPasskey={() => sendByPasskey(form)}
      />
    </MoneyDialog>
  )
}
