import { t } from '@tizara/languages'
import { Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWallets, useWalletUnit } from '../wallets/index.ts'
import { exchangeDialog } from './lazy-exchange.ts'
import { transferMessages } from './transfers.messages.ts'
import { T } from '../ui/t.tsx'

/** Shows ICO Wallet coin, which cannot pay for stakes, with a transfer button; hidden if empty. */
export function CoinElsewhere({ onTransfer }: { onTransfer: () => void }) {
  const balance = useWallets().data?.newIcoWallet
  const unit = useWalletUnit()('newIcoWallet')
  if (balance === undefined || balance <= 0n) return null
  return (
    <Notice
      title={<T text="{money} in your ICO Wallet" money={<Money value={balance} unit={unit} />} />}
      action={
        <Button size="sm" onClick={onTransfer}>
          {transferMessages.exchange}
        </Button>
      }
    >
      {t('Coin that you buy arrives there. Move it to My Wallet first, then you can stake it.')}
    </Notice>
  )
}

/** Returns the ICO Wallet transfer's state and dialog. Render the dialog outside other forms, because forms do not nest. */
export function useExchangeDialog({ startsOpen = false, onClosed }: { startsOpen?: boolean; onClosed?: () => void } = {}) {
  const [isOpen, setOpen] = useState(startsOpen)
  const { Dialog } = exchangeDialog
  return {
    open: () => setOpen(true),
    dialog: isOpen && (
      <Suspense fallback={null}>
        <Dialog
          onClose={() => {
            setOpen(false)
            onClosed?.()
          }}
        />
      </Suspense>
    ),
  }
}
