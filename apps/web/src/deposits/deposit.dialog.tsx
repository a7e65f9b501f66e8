import { ApiError, call } from '../lib/api.ts'
import { createPayment } from '@tizara/contract/deposits'
import { Dialog } from '../ui/dialog.tsx'
import { AmountField, arrives, fee, MoneyDialog, readTyped } from '../wallets/index.ts'
import { depositMessages } from './deposits.messages.ts'
import { Departure } from './departure.tsx'
import { depositBounds, useDepositForm } from './use-deposit-form.ts'
import { useDeparture, webHost } from './use-departure.ts'

export interface DepositDialogProps {
  open: boolean
  onClose: () => void
  /** Leaves the page; the tests look at it. */
  leave?: (address: string) => void
}

/** A USD deposit paid in USDT on the provider's page (UI-M-DEPOSIT rows, MF-01). */
export function DepositDialog({ open, onClose, leave }: DepositDialogProps) {
  return open ? <Content onClose={onClose} leave={leave ?? ((address) => location.assign(address))} /> : null
}

function Content({ onClose, leave }: { onClose: () => void; leave: (address: string) => void }) {
  const departure = useDeparture((address) => {
    onClose()
    leave(address)
  })
  const form = useDepositForm({
    asset: 'usd',
    name: createPayment.name,
    send: async (amount, idempotencyKey) => {
      const { data } = await call(createPayment, { body: { amount }, idempotencyKey })
      if (webHost(data.invoice_url) === undefined) throw new ApiError({ fromServer: true, unreadable: true })
      return data.invoice_url
    },
    onReady: departure.start,
  })
  const { address } = departure
  if (address !== undefined) {
    return (
      <Dialog open title={depositMessages.deposit} onClose={departure.cancel}>
        <Departure address={address} onCancel={departure.cancel} onGo={() => (onClose(), leave(address))} />
      </Dialog>
    )
  }
  return (
    <MoneyDialog
      title={depositMessages.deposit}
      description="Pay in USDT. The amount arrives in your Deposit Wallet once the payment is confirmed."
      onClose={onClose}
      form={form}
      submit={depositMessages.deposit}
      preview={[
        { label: 'You pay', value: 'USDT, BEP20' },
        fee('Fee', 0n, 'USD'),
        arrives('Arrives in Deposit Wallet', readTyped(form.values.amount, 'usd'), 'USD'),
      ]}
    >
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="depositWallet"
        bounds={depositBounds}
        hint="From 1 to 100,000 USD"
      />
    </MoneyDialog>
  )
}
