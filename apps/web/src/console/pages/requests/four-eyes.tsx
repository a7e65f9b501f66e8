import Check from 'lucide-react/icons/check'
import { useAppConfig } from '../../../settings/index.ts'
import { Money } from '../../../ui/money.tsx'
import { useMe } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import type { QueueDetail, QueueRow } from './queue.ts'

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
      ? 'You cannot approve: the first approval was yours.'
      : effect === 'pays'
        ? 'You can approve. This approval pays immediately.'
        : 'Waiting for the first approval.'
  return (
    <section aria-label="Four eyes">
      <h3 className="mt-4 text-sm font-semi">
        Four eyes{' '}
        <span className="text-faint">
          · above <Money value={item.limit ?? 0n} unit={item.asset === 'usd' ? 'USD' : tokenSymbol} /> in a day two people decide
        </span>
      </h3>
      <ol className="steps mt-1">
        {approvals.map((one) => (
          <li key={one.by.id + one.at.toISOString()} className="step done">
            <span className="mk">
              <Check size={12} aria-label="Approved" />
            </span>
            <span>
              <span className="font-semi" title={utcAndLocal(one.at)}>
                {one.by.id === me.person.id ? 'You' : plain(one.by.name)}, {briefly(one.at)}
              </span>
              {one.reason !== undefined && <span className="text-xs text-muted block">“{plain(one.reason)}”</span>}
            </span>
          </li>
        ))}
        {open && first === undefined && (
          <li className="step now">
            <span className="mk">1</span>
            <span>
              <span className="font-semi">First approval</span>
              <span className="text-xs text-muted block">
                {item.canDecide === true ? 'You can approve. A second approval pays.' : 'Not approved yet.'}
              </span>
            </span>
          </li>
        )}
        {open && (
          <li className={first === undefined ? 'step' : 'step now'}>
            <span className="mk">2</span>
            <span>
              <span className="font-semi">Another person</span>
              <span className="text-xs text-muted block">{next}</span>
            </span>
          </li>
        )}
      </ol>
    </section>
  )
}
