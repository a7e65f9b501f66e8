import { createPayment } from '@tizara/contract/deposits'
import { ApiError } from '../lib/api.ts'
import type { DialogProps } from '../lib/later-dialog.ts'
import { DepositForm } from './deposit-form.tsx'
import { depositMessages } from './deposits.messages.ts'
import { webHost } from './use-departure.ts'

export interface DepositDialogProps extends DialogProps {
  /** Leaves the page; the tests look at it. */
  leave?: (address: string) => void
}

/** A USD deposit paid in USDT on the provider's page (UI-M-DEPOSIT rows, MF-01). */
export default function DepositDialog({ onClose, leave = (address) => location.assign(address) }: DepositDialogProps) {
  return (
    <DepositForm
      route={createPayment}
      title={depositMessages.deposit}
      description="Pay in USDT. The amount arrives in your Deposit Wallet once the payment is confirmed."
      wallet="depositWallet"
      pays={{ label: 'You pay', value: 'USDT, BEP20' }}
      addressOf={(data) => {
        if (webHost(data.invoice_url) === undefined) throw new ApiError({ fromServer: true, unreadable: true })
        return data.invoice_url
      }}
      go={leave}
      onClose={onClose}
    />
  )
}
