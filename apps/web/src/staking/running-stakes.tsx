import type { StakeRow } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { Moment } from '../lib/moment.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Money } from '../ui/money.tsx'
import { ProgressRing } from '../ui/progress.tsx'
import { stakeProgress } from './staking.rules.ts'
import { T } from '../ui/t.tsx'

/** Maximum rings on the page; the list shows the rest. */
const MAX_SHOWN = 6

/** Shows running stakes as rings, soonest maturity first; empty if there are none. */
export function RunningStakes({ stakes, unit }: { stakes: readonly StakeRow[]; unit: string }) {
  const now = new Date()
  const soonest = stakes
    .map((stake) => ({ stake, progress: stakeProgress(stake, now) }))
    .toSorted((a, b) => a.progress.maturesAt.getTime() - b.progress.maturesAt.getTime())
  if (soonest.length === 0) return null
  return (
    <Card aria-labelledby="running-stakes">
      <CardHeader
        id="running-stakes"
        title={t('Stakes in progress')}
        hint={
          soonest.length > MAX_SHOWN
            ? t('The {maxShown} that mature soonest, of {soonest}', { maxShown: MAX_SHOWN, soonest: soonest.length })
            : t('Soonest to mature first')
        }
        action={
          <Link href="/my-stack-coin" className="link">
            {t('All stakes')}
          </Link>
        }
      />
      <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
        {soonest.slice(0, MAX_SHOWN).map(({ stake, progress: { doneDays, counted, days, maturesAt } }, index) => (
          <li key={`${stake.receipt?.kind ?? index} ${stake.id ?? index}`} className="flex items-center gap-4">
            <ProgressRing
              size={64}
              value={doneDays}
              max={days}
              label={t('{planName}, days {counted, select, run {run} other {paid}}', { planName: stake.planName, counted })}
              valueText={t('{doneDays} of {days} days', { doneDays, days })}
            >
              {days > 0 ? Math.floor((doneDays / days) * 100) : 0}%
            </ProgressRing>
            <div className="min-w-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <Money value={stake.stakeAmount} unit={unit} className="text-md font-strong tracking-num" />
              </p>
              <p className="text-sm text-muted">
                <T text="{planName}, day {doneDays} of {days}" planName={stake.planName} doneDays={doneDays} days={days} />
              </p>
              <p className="text-sm text-faint">
                <T text="returns {moment}" moment={<Moment at={maturesAt} />} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
