import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { proposeProceeds, staffRewardPool } from '@tizara/contract/staff-rewards'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { formatAmount } from '../../../ui/money-format.ts'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { SendDialog } from '../../kit/send-dialog.tsx'

type Figures = NonNullable<ReplyOf<typeof staffRewardPool>['proceeds']>

/** Shows how much of the sales fund can be sent to the operator now and why not more, and proposes a payment. */
export function Proceeds({ of }: { of: Figures }) {
  const may = useMay('proposeProceeds')
  const whoCan = useWhoCan('proposeProceeds')
  const [isOpen, setOpen] = useState(false)
  const bounds = [
    [`Older than the hold period of ${of.holdDays} days`, of.pastHold],
    ['Not reserved for open sell requests', of.pastRequests],
    ['Reserves above liabilities', of.free],
    ['In the hot wallet', of.inWallet],
  ] as const
  return (
    <Panel title="Proceeds of sales" right="two people">
      <div className="px-4 pt-3 pb-4">
        <p>
          <b className="font-semi">{formatAmount(of.available)} USD</b> of the sales fund can be sent to the operator now: the smallest of
          these amounts.
        </p>
        <dl className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 text-xs">
          {bounds.map(([label, amount]) => (
            <div key={label} className="contents">
              <dt className={amount === of.available ? 'font-semi' : 'text-muted'}>{label}</dt>
              <dd className={`text-right whitespace-nowrap ${amount === of.available ? 'font-semi' : ''}`}>{formatAmount(amount)} USD</dd>
            </div>
          ))}
        </dl>
        {of.addresses.length === 0 ? (
          <p className="mt-3 text-xs text-muted">
            No address yet. Sign with the key of the address, add address and signature to{' '}
            <code className="font-mono">PROCEEDS_ADDRESSES</code>, and restart API and worker.
          </p>
        ) : may ? (
          <Button className="mt-3" aria-disabled={of.available === 0n} onClick={() => of.available > 0n && setOpen(true)}>
            Send proceeds
          </Button>
        ) : (
          <p className="mt-2 text-xs text-faint">{whoCan} send proceeds.</p>
        )}
      </div>
      {isOpen && (
        <SendDialog
          title="Send proceeds to the operator"
          effects={[
            'The amount leaves the sales fund at the approval. Until there are new sales, members can sell that much less coin.',
            'It waits behind the payouts of members. If it fails or is cancelled, it returns to the fund.',
          ]}
          verb="Propose the payment"
          draft="proceeds"
          unit="USD"
          available={of.available}
          legend="Address of the operator"
          addresses={of.addresses}
          onPropose={async (payment) => {
            await call(proposeProceeds, { body: payment })
            await refetch(staffRewardPool, staffChanges)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}
