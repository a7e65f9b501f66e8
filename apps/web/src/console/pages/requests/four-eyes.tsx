import Check from 'lucide-react/icons/check'
import { useAppConfig } from '../../../settings/index.ts'
import { Money } from '../../../ui/money.tsx'
import { cx } from '../../../ui/cx.ts'
import { useMe } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import type { QueueDetail, QueueRow } from './queue.ts'

/** A step, with a line to the next one. */
const STEP =
  'relative grid grid-cols-[20px_minmax(0,1fr)_auto] gap-2.5 py-2 not-last:after:absolute not-last:after:top-[17.5px] not-last:after:-right-[18px] not-last:after:h-px not-last:after:w-4 not-last:after:bg-line-strong max-md:after:hidden'
const MARK = 'z-1 grid size-5 place-items-center rounded-full border-[1.5px]'
const NEXT_MARK = 'border-accent-line bg-surface text-accent shadow-[0_0_0_3px_var(--accent-soft)]'

/** Shows the two approvals of a request that needs two people, and what the next one does. Nothing for other requests. */
export function FourEyes({ item, effect }: { item: QueueRow; effect: QueueDetail['effect'] }) {
  const me = useMe()
  const { tokenSymbol } = useAppConfig()
  const approvals = item.status === 'REJECTED' ? [] : (item.approvals ?? [])
  const open = item.status === 'PENDING'
  const two = item.approvalsNeeded === 2 || effect === 'first-approval' || approvals.length > (open ? 0 : 1)
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
          ·{' '}
          {item.rule?.outcome === 'HELD' ? (
            <>held by the rule “{plain(item.rule.name)}” for two people</>
          ) : (
            <>
              above <Money value={item.limit ?? 0n} unit={item.asset === 'usd' ? 'USD' : tokenSymbol} /> in a day two people decide
            </>
          )}
        </span>
      </h3>
      <ol className="mt-1 grid grid-cols-[1fr_1fr] gap-x-5 max-md:grid-cols-[1fr] max-md:gap-2">
        {approvals.map((one) => (
          <li key={one.by.id + one.at.toISOString()} className={STEP}>
            <span className={cx(MARK, 'border-success bg-success text-surface')}>
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
          <li className={STEP}>
            <span className={cx(MARK, NEXT_MARK)}>1</span>
            <span>
              <span className="font-semi">First approval</span>
              <span className="text-xs text-muted block">
                {item.canDecide === true ? 'You can approve. A second approval pays.' : 'Not approved yet.'}
              </span>
            </span>
          </li>
        )}
        {open && (
          <li className={STEP}>
            <span className={cx(MARK, first === undefined ? 'border-line-strong bg-surface text-faint' : NEXT_MARK)}>2</span>
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
