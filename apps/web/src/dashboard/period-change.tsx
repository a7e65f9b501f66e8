import type { Units } from '@tizara/money'
import type { ReplyOf } from '@tizara/contract'
import type { walletHistory } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { T } from '../ui/t.tsx'

interface PeriodChangeProps {
  /** Total now, in USD units; undefined while it loads. */
  total: Units | undefined
  /** Total at the end of each day, oldest first; undefined while they load. */
  days: readonly { day: string; total: Units }[] | undefined
  /** Flows since a day; null on the first day. */
  change: ReplyOf<typeof walletHistory>['change'] | undefined
  /** True if the total cannot be shown. */
  isUnknown: boolean
}

/** Splits the change of the total into what was paid in, taken out and earned. The rest is prices, fees and ended NFTs. */
export function PeriodChange({ total, days, change, isUnknown }: PeriodChangeProps) {
  if (isUnknown) return null
  if (total === undefined || days === undefined || change === undefined) return <Skeleton className="my-1 h-3 w-44" />
  const base = change === null ? -1 : days.findIndex(({ day }) => day === change.since)
  const before = days[base]
  if (change === null || before === undefined) return <p className="h-5 text-sm text-faint">{t('The line begins today')}</p>
  const span = days.length - 1 - base
  const difference = total - before.total
  const parts: [label: string, usd: Units][] = [
    [t('Paid in'), change.paidIn],
    [t('Taken out'), -change.takenOut],
    [t('Earned'), change.earned],
    [t('Prices and fees'), difference - change.paidIn + change.takenOut - change.earned],
  ]
  return (
    <>
      <p className="h-5 text-sm text-muted">
        <T
          text="{money} in {span}"
          money={<Money value={difference} unit="USD" sign="always" className="font-semi" />}
          span={t('{span, plural, one {1 day} other {{span} days}}', { span })}
        />
      </p>
      <dl aria-label={t('Parts of the change')} className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted">
        {parts.map(([label, usd]) => (
          <div key={label} className="flex gap-1.5 whitespace-nowrap">
            <dt>{label}</dt>
            <dd className="font-semi text-ink">
              <Money value={usd} sign="always" />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
