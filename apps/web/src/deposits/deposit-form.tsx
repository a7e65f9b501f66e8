import { DEPOSIT_MAX, DEPOSIT_MIN, type BodyOf, type ReplyOf } from '@tizara/contract'
import type { createInvoice, createPayment } from '@tizara/contract/deposits'
import type { WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { AmountField, arrives, fee, MoneyDialog, showRejection, useMoneyForm, useWalletUnit, walletNames } from '../wallets/index.ts'
import { Departure } from './departure.tsx'
import { depositMessages } from './deposits.messages.ts'
import { useDeparture } from './use-departure.ts'

/** Deposit bounds (VA-25, VA-26). */
const bounds = { min: DEPOSIT_MIN, max: DEPOSIT_MAX }

export interface DepositFormProps<R extends typeof createPayment | typeof createInvoice> {
  route: R
  title: string
  description: string
  /** Receives the deposit. */
  wallet: WalletKey
  pays: { label: string; value: string }
  /** The call's further fields. */
  asks?: Partial<BodyOf<R>>
  /** Payment method choice. */
  ways?: ReactNode
  /** Returns the invoice URL; throws if the response has none. */
  addressOf: (data: ReplyOf<R>) => string
  /** Redirects to the invoice. */
  go: (address: string) => void
  onClose: () => void
}

/** Form with an amount field that opens an invoice (VA-24 to VA-27). Stays open after a refusal (ER-17, ER-32). */
export function DepositForm<R extends typeof createPayment | typeof createInvoice>(props: DepositFormProps<R>) {
  const { route, title, description, wallet, pays, asks, ways, addressOf, go, onClose } = props
  const unit = useWalletUnit()(wallet)
  const leave = (to: string): void => {
    onClose()
    go(to)
  }
  const { address, start, cancel } = useDeparture(leave)
  const form = useMoneyForm({
    route,
    initial: { amount: '' },
    amount: { name: 'amount', wallet, bounds },
    body: (_, amount) => ({ amount, ...asks }) as BodyOf<R>,
    onAnswer: (data) => start(addressOf(data)),
    onError: (error) => void showRejection(depositMessages.failed, error.serverMessage ?? depositMessages.failedText),
    onClose,
  })
  if (address !== undefined) {
    return (
      <Dialog open title={title} onClose={cancel}>
        <Departure address={address} onCancel={cancel} onGo={() => leave(address)} />
      </Dialog>
    )
  }
  return (
    <MoneyDialog
      title={title}
      description={description}
      onClose={onClose}
      form={form}
      submit={depositMessages.deposit}
      preview={[
        pays,
        fee(t('Fee'), 0n, unit),
        arrives(t('Arrives in {walletNames}', { walletNames: walletNames[wallet] }), form.typed, unit),
      ]}
    >
      {ways}
      <AmountField label={t('Amount')} {...form.amount} hint={t('From 1 to 100,000 {unit}', { unit })} />
    </MoneyDialog>
  )
}
