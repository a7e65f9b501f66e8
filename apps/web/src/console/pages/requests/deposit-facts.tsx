import { Money } from '../../../ui/money.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { bothClocks, briefly } from '../../kit/when.ts'
import type { QueueDetail, QueueRow } from './queue.ts'

/** What the provider says of a deposit. */
export function Payments({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
  const payments = detail?.payments ?? []
  return (
    <section className="mt16" aria-label="Payments at the provider">
      <h3 className="t">
        Payments at the provider{' '}
        <span className="fnt">
          · credited so far <Money value={item.received ?? 0n} unit="USD" />
        </span>
      </h3>
      {detail !== undefined && payments.length === 0 && (
        <p className="mut sm mt4">The provider knows of no payment. Approving takes two people.</p>
      )}
      {payments.map((payment) => (
        <dl key={payment.id} className="kv tight sm mt8 side2">
          <dt>Payment</dt>
          <dd className="mono">{plain(payment.id)}</dd>
          <dt>Paid</dt>
          <dd>
            <Money value={payment.paid} decimals={8} /> {plain(payment.currency).toUpperCase()}
          </dd>
          <dt>State</dt>
          <dd>
            {plain(payment.status)}, <span title={bothClocks(payment.at)}>{briefly(payment.at)} UTC</span>
          </dd>
          {payment.review && (
            <>
              <dt>Why it waits</dt>
              <dd className="warn">{plain(payment.review)}</dd>
            </>
          )}
        </dl>
      ))}
      {item.status === 'PENDING' && detail !== undefined && (
        <Effects credit={item.credit ?? 0n} holds={detail.about.balances.depositWallet} />
      )}
    </section>
  )
}

/** What each of the two decisions does to the member's money. */
function Effects({ credit, holds }: { credit: bigint; holds: bigint }) {
  return (
    <>
      <h3 className="t mt16">What can be done</h3>
      <dl className="kv left sm mt4">
        <dt className="b">
          Credit <Money value={credit} unit="USD" />
        </dt>
        <dd>
          The Deposit Wallet holds <Money value={holds} /> and then <Money value={holds + credit} className="b" />.
        </dd>
        <dt className="b">Reject</dt>
        <dd>Nothing is credited; what was paid stays on record. Paying it back on the chain is done outside.</dd>
      </dl>
    </>
  )
}

/** What was decided about a deposit before, and by whom: a later payment asks for another decision. */
export function EarlierDecisions({ item }: { item: QueueRow }) {
  const earlier = item.earlierDecisions ?? []
  if (earlier.length === 0) return null
  return (
    <section aria-label="Decided before">
      <h3 className="t mt16">Decided before</h3>
      {earlier.map(({ outcome, by }, place) => (
        <p key={place} className="sm mt4">
          {outcome === 'APPROVED' ? 'Approved' : 'Refused'} by{' '}
          {by
            .map((one) => `${plain(one.by.name)} (${briefly(one.at)}${one.reason === undefined ? '' : `, “${plain(one.reason)}”`})`)
            .join(' and ')}
        </p>
      ))}
    </section>
  )
}
