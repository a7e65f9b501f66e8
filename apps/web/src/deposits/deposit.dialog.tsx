import { createInvoice, createPayment } from '@tizara/contract/deposits'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { ApiError } from '../lib/http/api.ts'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { useAppConfig } from '../settings/index.ts'
import { Segmented } from '../ui/segmented.tsx'
import { DepositForm } from './deposit-form.tsx'
import { depositMessages } from './deposits.messages.ts'
import { webHost } from './use-departure.ts'

export interface DepositDialogProps extends DialogProps {
  /** Leaves the page; tests replace it. */
  leave?: (address: string) => void
}

/** USD deposit (UI-M-DEPOSIT rows, MF-01): USDT on the provider's page or, if enabled, on-chain to the invoice's own address. */
export default function DepositDialog({ onClose, leave = (address) => location.assign(address) }: DepositDialogProps) {
  const { usdOnChain } = useAppConfig()
  const [way, setWay] = useState<'page' | 'wallet'>('page')
  const common = {
    title: depositMessages.deposit,
    wallet: 'depositWallet',
    onClose,
    ways: usdOnChain === true && (
      <Segmented
        block
        label={t('Payment method')}
        value={way}
        onChange={setWay}
        options={[
          { value: 'page', label: t('On a payment page') },
          { value: 'wallet', label: t('From your own wallet') },
        ]}
      />
    ),
  } as const
  if (way === 'wallet') {
    return (
      <DepositForm
        {...common}
        route={createInvoice}
        asks={{ asset: 'usd' }}
        description={t('Send USDT to a separate address. The amount is in your Deposit Wallet after 12 confirmations.')}
        pays={{ label: t('You send'), value: t('USDT, BEP20') }}
        addressOf={({ data }) => `/invoice?id=${encodeURIComponent(data.invoice_id)}`}
        go={navigate}
      />
    )
  }
  return (
    <DepositForm
      {...common}
      route={createPayment}
      description={t('Pay in USDT. The amount arrives in your Deposit Wallet once the payment is confirmed.')}
      pays={{ label: t('You pay'), value: t('USDT, BEP20') }}
      addressOf={(data) => {
        if (webHost(data.invoice_url) === undefined) throw new ApiError({ fromServer: true, unreadable: true })
        return data.invoice_url
      }}
      go={leave}
    />
  )
}
