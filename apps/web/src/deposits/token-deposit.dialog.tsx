import { createInvoice } from '@tizara/contract/deposits'
import { t } from '@tizara/languages'
import { navigate } from 'wouter/use-browser-location'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { DepositForm } from './deposit-form.tsx'
import { depositMessages } from './deposits.messages.ts'

/** Token deposit, paid on the invoice page (UI-M-TOKENDEP rows, MF-02). */
export default function TokenDepositDialog({ onClose }: DialogProps) {
  const { tokenSymbol } = useAppConfig()
  return (
    <DepositForm
      route={createInvoice}
      title={`${depositMessages.deposit} ${tokenSymbol}`}
      description={t('Send {tokenSymbol} from your own wallet. It arrives in your Native Wallet once the payment is confirmed.', {
        tokenSymbol,
      })}
      wallet="nativeWallet"
      pays={{ label: t('You send'), value: `${tokenSymbol}, BEP20` }}
      addressOf={({ data }) => `/invoice?id=${encodeURIComponent(data.invoice_id)}`}
      go={navigate}
      onClose={onClose}
    />
  )
}
