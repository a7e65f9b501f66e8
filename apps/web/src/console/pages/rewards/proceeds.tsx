import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { proposeProceeds, staffRewardPool } from '@tizara/contract/staff-rewards'
import { formatUnits, parseUnits } from '@tizara/money'
import { useId, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { Address } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatAmount } from '../../../ui/money-format.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useMay } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'

type Figures = NonNullable<ReplyOf<typeof staffRewardPool>['proceeds']>

/** Shows how much of the sales fund can be sent to the operator now and why not more, and proposes a payment. */
export function Proceeds({ of }: { of: Figures }) {
  const may = useMay('proposeProceeds')
  const [isOpen, setOpen] = useState(false)
  const bounds = [
    [`Older than the hold period of ${of.holdDays} days`, of.pastHold],
    ['Left over by open sell requests', of.pastRequests],
    ['Free by the balance sheet', of.free],
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
            No address yet. Add one with the signature of its key to <code className="font-mono">PROCEEDS_ADDRESSES</code>, and restart API
            and worker.
          </p>
        ) : may ? (
          <Button className="mt-3" aria-disabled={of.available === 0n} onClick={() => of.available > 0n && setOpen(true)}>
            Send proceeds
          </Button>
        ) : (
          <p className="mt-2 text-xs text-faint">FINANCE and ADMIN can</p>
        )}
      </div>
      {isOpen && <ProceedsDialog of={of} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function ProceedsDialog({ of, onClose }: { of: Figures; onClose: () => void }) {
  const id = useId()
  const [typed, setTyped] = useState(formatUnits(of.available))
  const [chosen, setChosen] = useState(of.addresses[0] ?? '')
  return (
    <ActDialog
      title="Send proceeds to the operator"
      effects={[
        'Another person has to approve it. Both compare the whole address.',
        'The sales fund pays it at the approval, so members can sell coin for that much less.',
        'It waits behind the payouts of members. If it fails or is cancelled, it returns to the fund.',
      ]}
      verb="Propose the payment"
      draft="proceeds"
      onDo={async (reason) => {
        const amount = parseUnits(typed.trim().replaceAll(',', ''), 8)
        if (amount === null || amount <= 0n) throw new Error('Please enter an amount')
        await call(proposeProceeds, { body: { amount, address: chosen, reason } })
        toast('Proposed; another person has to approve it')
        await refetch(staffRewardPool, staffChanges)
      }}
      onClose={onClose}
    >
      <label className="mt-3 mb-1 block font-medium" htmlFor={`${id}-amount`}>
        Amount in USD
      </label>
      <input
        id={`${id}-amount`}
        className="control text-right"
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <fieldset className="mt-3">
        <legend className="mb-1 font-medium">Address of the operator</legend>
        {of.addresses.map((address) => (
          <label key={address} className="flex min-w-0 items-start gap-2 py-1">
            <input type="radio" name={`${id}-to`} className="mt-1" checked={address === chosen} onChange={() => setChosen(address)} />
            <Address value={address} className="min-w-0" />
          </label>
        ))}
      </fieldset>
    </ActDialog>
  )
}
