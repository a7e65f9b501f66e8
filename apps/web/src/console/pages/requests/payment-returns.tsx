import { staffChanges } from '@tizara/contract/staff-changes'
import { cancelPaymentReturn, proposePaymentReturn } from '@tizara/contract/staff-payment-returns'
import { staffQueue, staffQueueItem } from '@tizara/contract/staff-queues'
import { useId, useState } from 'react'
import { ApiError, call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Address, ChainTransaction } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { useMay } from '../../kit/me.tsx'
import { sendingStates } from '../../kit/sending-states.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly, utcAndLocal } from '../../kit/when.ts'
import type { QueueDetail } from './queue.ts'

type Returnable = NonNullable<QueueDetail['returnable']>[number]
type Return = NonNullable<QueueDetail['returns']>[number]

/** Shows what two people can return of a deposit's uncredited payments, and the returns so far. */
export function PaymentReturns({ detail: { id, returnable = [], returns = [] } }: { detail: QueueDetail }) {
  const [mayPropose, mayCancel] = [useMay('proposePaymentReturn'), useMay('cancelPaymentReturn')]
  const unitOf = useUnit()
  const [returning, setReturning] = useState<Returnable>()
  const [cancelling, setCancelling] = useState<Return>()
  return (
    <section className="mt-4" aria-label="Returns to the payer">
      <h3 className="text-sm font-semi">Returns to the payer</h3>
      {returnable.map((one) => (
        <div key={one.asset} className="mt-2 flex flex-wrap items-center gap-2 text-xs">
          <span className="min-w-0 flex-1">
            <Amount asset={one.asset} value={one.amount} /> can be returned. <Amount asset={one.asset} value={one.received} /> arrive after
            the network fee.
            {one.requested !== undefined && (
              <span className="mt-1 block">
                The member asked {briefly(one.requested.at)} UTC for the return to{' '}
                <Address value={one.requested.address} className="text-xs" />
              </span>
            )}
          </span>
          {mayPropose && (
            <Button size="sm" onClick={() => setReturning(one)}>
              Return {unitOf(one.asset)}…
            </Button>
          )}
        </div>
      ))}
      {returns.map((one) => (
        <FactList key={one.id} tight className="mt-2 min-w-0 rounded-lg border px-3 py-2.5 text-xs">
          <dt>Amount</dt>
          <dd>
            <Amount asset={one.asset} value={one.received} />
          </dd>
          <dt>To</dt>
          <dd>
            <Address value={one.address} className="text-xs" />
          </dd>
          <dt>State</dt>
          <dd>
            {sendingStates[one.state]}, <span title={utcAndLocal(one.createdAt)}>approved {briefly(one.createdAt)} UTC</span>
            {one.cancelling && <span className="block text-muted">Cancellation requested; it may still arrive</span>}
            {one.problem !== undefined && <span className="block text-warning">{plain(one.problem)}</span>}
          </dd>
          {one.txHash !== undefined && (
            <>
              <dt>Transaction</dt>
              <dd>
                <ChainTransaction hash={one.txHash} url={one.txUrl} />
              </dd>
            </>
          )}
          {mayCancel && one.endedAt === undefined && !one.cancelling && (
            <>
              <dt className="sr-only">Cancel</dt>
              <dd className="col-start-2">
                <Button size="sm" onClick={() => setCancelling(one)}>
                  Cancel the return
                </Button>
              </dd>
            </>
          )}
        </FactList>
      ))}
      {returning !== undefined && <ReturnDialog deposit={id} returnable={returning} onClose={() => setReturning(undefined)} />}
      {cancelling !== undefined && (
        <ActDialog
          title="Cancel this return"
          effects={[
            cancelling.state === 'QUEUED'
              ? 'It is not signed yet: the money stays in the hot wallet and can be returned again.'
              : 'It is signed and may still arrive. If it does not, it can be returned again.',
          ]}
          verb="Cancel it"
          keep="Keep the return"
          danger
          draft={`payment-return:${cancelling.id}`}
          onDo={async (reason) => {
            const { message } = await call(cancelPaymentReturn, { params: { id: cancelling.id }, body: { reason } })
            toast(message)
            await refetch(staffQueueItem, staffQueue)
          }}
          onClose={() => setCancelling(undefined)}
        />
      )}
    </section>
  )
}

/** Proposes to return payments to an address in the member's book. */
function ReturnDialog({ deposit, returnable, onClose }: { deposit: string; returnable: Returnable; onClose: () => void }) {
  const { asset, amount, received, networkFee, requested } = returnable
  const id = useId()
  const [address, setAddress] = useState(requested?.address ?? '')
  return (
    <ActDialog
      title="Return to the payer"
      effects={[
        'Another person has to approve it. Both compare the whole address with the one that the payer named.',
        <>
          <Amount asset={asset} value={received} /> are sent: <Amount asset={asset} value={amount} /> less the network fee of{' '}
          <Amount asset={asset} value={networkFee} />.
        </>,
        'The payment cannot be credited any more. The member gets a mail.',
      ]}
      verb="Propose the return"
      draft={`payment-return:${deposit}:${asset}`}
      onDo={async (reason) => {
        if (address.trim() === '') throw new ApiError({ statusCode: 400, message: 'Please enter an address' })
        await call(proposePaymentReturn, { params: { id: deposit }, body: { asset, amount, address: address.trim(), reason } })
        toast('Proposed; another person has to approve it')
        await refetch(staffQueueItem, staffChanges)
      }}
      onClose={onClose}
    >
      <label className="mt-3 mb-1 block font-medium" htmlFor={`${id}-to`}>
        Address of the payer
      </label>
      <input
        id={`${id}-to`}
        className="control font-mono"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        readOnly={requested !== undefined}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <p id={`${id}-hint`} className="text-xs text-muted">
        {requested === undefined
          ? 'A BEP20 address that the member has confirmed in the address book under Withdraw, and whose delay is over.'
          : 'The address that the member named. To use another one, the member has to change the request.'}
      </p>
    </ActDialog>
  )
}
