import { lazy, Suspense } from 'react'
import { Money } from '../../../ui/money.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import type { QueueDetail, QueueRow } from './queue.ts'
import { FactList } from '../../../ui/fact-list.tsx'

/** Loaded when it is needed, because most deposits have nothing to return. */
const PaymentReturns = lazy(async () => ({ default: (await import('./payment-returns.tsx')).PaymentReturns }))

/** Shows the provider's view of a deposit. */
export function Payments({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
  const payments = detail?.payments ?? []
  return (
    <section className="mt-4" aria-label="Payments at the provider">
      <h3 className="text-sm font-semi">
        Payments at the provider{' '}
        <span className="text-faint">
          · credited so far <Money value={item.received ?? 0n} unit="USD" />
        </span>
      </h3>
      {detail !== undefined && payments.length === 0 && (
        <p className="text-muted text-xs mt-1">The provider knows of no payment. Approving takes two people.</p>
      )}
      {payments.map((payment) => (
        <FactList key={payment.id} tight className="mt-2 min-w-0 rounded-lg border px-3 py-2.5 text-xs">
          <dt>Payment</dt>
          <dd className="font-mono text-xs">{plain(payment.id)}</dd>
          <dt>Paid</dt>
          <dd>
            <Money value={payment.paid} decimals={8} /> {plain(payment.currency).toUpperCase()}
          </dd>
          <dt>State</dt>
          <dd>
            {plain(payment.status)}, <span title={utcAndLocal(payment.at)}>{briefly(payment.at)} UTC</span>
          </dd>
          {payment.review && (
            <>
              <dt>Why it waits</dt>
              <dd className="text-warning">{plain(payment.review)}</dd>
            </>
          )}
        </FactList>
      ))}
      {item.status === 'PENDING' && detail !== undefined && (
        <Effects
          credit={item.credit ?? 0n}
          holds={detail.about.balances.depositWallet}
          isReturnable={(detail.returnable ?? []).length > 0}
        />
      )}
      {detail !== undefined && (detail.returnable ?? []).length + (detail.returns ?? []).length > 0 && (
        <Suspense fallback={null}>
          <PaymentReturns detail={detail} />
        </Suspense>
      )}
    </section>
  )
}

/** Shows the effect of each decision on the member's money. */
function Effects({ credit, holds, isReturnable }: { credit: bigint; holds: bigint; isReturnable: boolean }) {
  return (
    <>
      <h3 className="mt-4 text-sm font-semi">What can be done</h3>
      <FactList left className="text-xs mt-1">
        <dt className="font-semi">
          Credit <Money value={credit} unit="USD" />
        </dt>
        <dd>
          The Deposit Wallet holds <Money value={holds} /> and then <Money value={holds + credit} className="font-semi" />.
        </dd>
        <dt className="font-semi">Reject</dt>
        <dd>
          Nothing is credited; what was paid stays on record.{' '}
          {isReturnable
            ? 'It can be returned to its payer afterwards. An open request for a return ends.'
            : 'Paying it back on the chain is done outside.'}
        </dd>
      </FactList>
    </>
  )
}

/** Shows earlier decisions on a deposit. A later payment needs another one. */
export function EarlierDecisions({ item }: { item: QueueRow }) {
  const earlier = item.earlierDecisions ?? []
  if (earlier.length === 0) return null
  return (
    <section aria-label="Decided before">
      <h3 className="mt-4 text-sm font-semi">Decided before</h3>
      {earlier.map(({ outcome, by }, index) => (
        <p key={index} className="text-xs mt-1">
          {outcome === 'APPROVED' ? 'Approved' : 'Rejected'} by{' '}
          {by
            .map((one) => `${plain(one.by.name)} (${briefly(one.at)}${one.reason === undefined ? '' : `, “${plain(one.reason)}”`})`)
            .join(' and ')}
        </p>
      ))}
    </section>
  )
}
