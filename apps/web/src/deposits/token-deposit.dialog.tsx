import { createInvoice } from '@tizara/contract/deposits'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/api.ts'
import { useAppConfig } from '../settings/index.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AmountField, arrives, fee, MoneyDialog, readTyped } from '../wallets/index.ts'
import { depositMessages } from './deposits.messages.ts'
import { Departure } from './departure.tsx'
import { depositBounds, useDepositForm } from './use-deposit-form.ts'
import { useDeparture } from './use-departure.ts'

export interface TokenDepositDialogProps {
  open: boolean
  onClose: () => void
}

/** A deposit of the product's token, paid on the invoice page (UI-M-TOKENDEP rows, MF-02). */
export function TokenDepositDialog({ open, onClose }: TokenDepositDialogProps) {
  return open ? <Content onClose={onClose} /> : null
}

function Content({ onClose }: { onClose: () => void }) {
  const { tokenSymbol } = useAppConfig()
  const title = `${depositMessages.deposit} ${tokenSymbol}`
  const departure = useDeparture((address) => {
    onClose()
    navigate(address)
  })
  const form = useDepositForm({
    asset: 'coin',
    name: createInvoice.name,
    send: async (amount, idempotencyKey) => {
      const { data } = await call(createInvoice, { body: { amount }, idempotencyKey })
      return `/invoice?id=${encodeURIComponent(data.data.invoice_id)}`
    },
    onReady: departure.start,
  })
  const { address } = departure
  if (address !== undefined) {
    return (
      <Dialog open title={title} onClose={departure.cancel}>
        <Departure address={address} onCancel={departure.cancel} onGo={() => (onClose(), navigate(address))} />
      </Dialog>
    )
  }
  return (
    <MoneyDialog
      title={title}
      description={`Send ${tokenSymbol} from your own wallet. It arrives in your Native Wallet once the payment is confirmed.`}
      onClose={onClose}
      form={form}
      submit={depositMessages.deposit}
      preview={[
        { label: 'You send', value: `${tokenSymbol}, BEP20` },
        fee('Fee', 0n, tokenSymbol),
        arrives('Arrives in Native Wallet', readTyped(form.values.amount, 'coin'), tokenSymbol),
      ]}
    >
      <AmountField
        label="Amount"
        field={form.field('amount')}
        error={form.errors.amount}
        pending={form.pending}
        wallet="nativeWallet"
        bounds={depositBounds}
        hint={`From 1 to 100,000 ${tokenSymbol}`}
      />
    </MoneyDialog>
  )
}
