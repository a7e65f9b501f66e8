import type { ReplyOf } from '@tizara/contract'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { t } from '@tizara/languages'
import { Button } from '../ui/button.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { usePayoutGuard } from './use-step-up.ts'
import { WaitingDialog } from './waiting-mark.tsx'
import { T } from '../ui/t.tsx'

export type WaitingTransfer = NonNullable<ReplyOf<typeof payoutGuard>['transfers']>[number]

/** Lists the member's transfers that await confirmation. */
export function WaitingTransfers({ onOpen }: { onOpen: (transfer: WaitingTransfer) => void }) {
  const waiting = usePayoutGuard()?.transfers ?? []
  if (waiting.length === 0) return null
  return (
    <section aria-label={t('Waiting transfers')} className="space-y-2">
      <h3 className="font-strong">{t('Waiting for your confirmation')}</h3>
      <ul className="space-y-2">
        {waiting.map((transfer) => (
          <li key={transfer.id} className="flex items-center justify-between gap-3">
            <span className="min-w-0 break-all">
              <T text="{amount} USD to {email}" amount={formatAmount(transfer.amount)} email={transfer.email} />
            </span>
            <Button size="sm" onClick={() => onOpen(transfer)}>
              {t('Confirm or cancel')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Dialog in which the member confirms or cancels a waiting transfer. */
export const WaitingTransferDialog = ({ transfer, onClose }: { transfer: WaitingTransfer; onClose: () => void }) => (
  <WaitingDialog
    what="transfer"
    payout={{ id: transfer.id, address: transfer.email, amount: `${formatAmount(transfer.amount)} USD`, until: transfer.waitsUntil }}
    list={payoutGuard}
    onClose={onClose}
  />
)
