import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import { useAppConfig } from '../../settings/index.ts'
import { addressGroups } from '../../ui/address.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Money } from '../../ui/money.tsx'
import { useMe } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { age, bothClocks, brief } from '../lib/when.ts'
import { payoff, type QueueDetail, type QueueRow } from './queue.ts'

/** What an item is about: the amount that arrives, from where and to whom, whole. */
export function ItemFacts({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
  const { tokenSymbol } = useAppConfig()
  const unit = item.asset === 'usd' ? 'USD' : tokenSymbol
  const deposit = item.kind === 'deposits'
  return (
    <>
      <div className="hero">
        <div className="grow">
          <div className="sm mut">{deposit ? 'Is credited to the member' : 'Arrives at the member'}</div>
          <div className="big">
            <Money value={payoff(item)} unit={unit} />
          </div>
        </div>
        <div className="num sm mut">
          <div>
            asked for <Money value={item.amount} />
          </div>
          <div title={bothClocks(item.createdAt)}>
            {age(item.createdAt)} ago, {brief(item.createdAt)} UTC
          </div>
        </div>
      </div>
      {deposit ? <Payments item={item} detail={detail} /> : <Flow item={item} detail={detail} unit={unit} />}
    </>
  )
}

const NETWORKS = ['BEP(20)', 'ERC(20)', 'TRC(20)'] as const

function Flow({ item, detail, unit }: { item: QueueRow; detail: QueueDetail | undefined; unit: string }) {
  const wallet = item.kind === 'bridges' ? ('icoWallet' as const) : ('depositWallet' as const)
  const address = plain(item.address ?? '')
  return (
    <div className="flowline">
      <div className="side2">
        <div className="sm mut">From</div>
        <div className="b">{item.kind === 'bridges' ? 'My Wallet' : 'Deposit Wallet'}</div>
        <dl className="kv tight sm mt4">
          <dt>Leaves the hold</dt>
          <dd>
            <Money value={item.amount} />
          </dd>
          <dt>Platform fee</dt>
          <dd>
            <Money value={-(item.platformFee ?? 0n)} />
          </dd>
          <dt>Network fee</dt>
          <dd>
            <Money value={-(item.networkFee ?? 0n)} />
          </dd>
          <dt>Stays in the wallet</dt>
          <dd>{detail === undefined ? '…' : <Money value={detail.about.balances[wallet]} unit={unit} />}</dd>
        </dl>
      </div>
      <span className="arr">
        <ArrowRight size={16} aria-hidden="true" />
      </span>
      <div className="side2">
        <div className="row sb">
          <span className="sm mut">To{item.network === undefined ? '' : `, ${NETWORKS[item.network] ?? item.network}`}</span>
          <CopyButton text={item.address ?? ''} label="Copy" variant="ghost" size="sm" />
        </div>
        <div className="mt4">
          <span className="addr">
            {addressGroups(address).map((group, place) => (
              <span key={place}>{group}</span>
            ))}
          </span>
        </div>
        {item.addressUsed === 0 && (
          <div className="sm warn row mt8" style={{ gap: 5 }}>
            <Flag size={12} aria-hidden="true" />
            Never paid before
          </div>
        )}
      </div>
    </div>
  )
}

/** What the provider says of a deposit. */
function Payments({ item, detail }: { item: QueueRow; detail: QueueDetail | undefined }) {
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
            {plain(payment.status)}, <span title={bothClocks(payment.at)}>{brief(payment.at)} UTC</span>
          </dd>
          {payment.review && (
            <>
              <dt>Why it waits</dt>
              <dd className="warn">{plain(payment.review)}</dd>
            </>
          )}
        </dl>
      ))}
    </section>
  )
}

/** Who approved, and who has to. */
export function FourEyes({ item, effect }: { item: QueueRow; effect: QueueDetail['effect'] }) {
  const me = useMe()
  const { tokenSymbol } = useAppConfig()
  const approvals = item.status === 'REJECTED' ? [] : (item.approvals ?? [])
  const open = item.status === 'PENDING'
  const two = item.approvalsNeeded === 2 || effect === 'counts' || approvals.length > (open ? 0 : 1)
  if (!two) return null
  const first = approvals[0]
  const next =
    item.whyNot === 'FIRST_WAS_YOU'
      ? 'Not you: the first approval was yours.'
      : effect === 'pays'
        ? 'You may. This approval pays at once.'
        : 'Waits for the first.'
  return (
    <section aria-label="Four eyes">
      <h3 className="t mt16">
        Four eyes{' '}
        <span className="fnt">
          · above <Money value={item.limit ?? 0n} unit={item.asset === 'usd' ? 'USD' : tokenSymbol} /> in a day two people decide
        </span>
      </h3>
      <ol className="steps mt4">
        {approvals.map((one) => (
          <li key={one.by.id + one.at.toISOString()} className="step done">
            <span className="mk">
              <Check size={12} aria-label="Approved" />
            </span>
            <span>
              <span className="b" title={bothClocks(one.at)}>
                {one.by.id === me.person.id ? 'You' : plain(one.by.name)}, {brief(one.at)}
              </span>
              {one.reason !== undefined && (
                <span className="sm mut" style={{ display: 'block' }}>
                  “{plain(one.reason)}”
                </span>
              )}
            </span>
          </li>
        ))}
        {open && first === undefined && (
          <li className="step now">
            <span className="mk">1</span>
            <span>
              <span className="b">First of two</span>
              <span className="sm mut" style={{ display: 'block' }}>
                {item.canDecide === true ? 'You may. This approval only counts.' : 'Nobody yet.'}
              </span>
            </span>
          </li>
        )}
        {open && (
          <li className={first === undefined ? 'step' : 'step now'}>
            <span className="mk">2</span>
            <span>
              <span className="b">Another person</span>
              <span className="sm mut" style={{ display: 'block' }}>
                {next}
              </span>
            </span>
          </li>
        )}
      </ol>
    </section>
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
            .map((one) => `${plain(one.by.name)} (${brief(one.at)}${one.reason === undefined ? '' : `, “${plain(one.reason)}”`})`)
            .join(' and ')}
        </p>
      ))}
    </section>
  )
}

/** What is unusual, with what it rests on; then what was looked at and is as usual. */
export function Signs({ item, checks }: { item: QueueRow; checks: readonly string[] | undefined }) {
  const signs = item.signs ?? []
  return (
    <>
      {signs.length > 0 && (
        <section aria-label="Worth a second look">
          <h3 className="t mt16">Worth a second look</h3>
          <div className="mt4">
            {signs.map((sign, place) => (
              <div key={place} className="look">
                <Flag size={16} className="warn" aria-hidden="true" />
                <span className="b">{plain(sign.text)}</span>
                {sign.detail !== undefined && <span className="sm mut">{plain(sign.detail)}</span>}
              </div>
            ))}
          </div>
        </section>
      )}
      {checks !== undefined && checks.length > 0 && (
        <ul className="quiet mt16" aria-label="Looked at and as usual">
          {checks.map((check) => (
            <li key={check} className="row" style={{ gap: 6 }}>
              <Check size={12} className="ok" aria-hidden="true" />
              {check}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
