import type { StakePlan } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { formatUnits, ONE, type Units } from '@tizara/money'
import { formatTime } from '../lib/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { estimateStake } from './staking.rules.ts'
import { T } from '../ui/t.tsx'

export interface PlanCardProps {
  plan: StakePlan
  unit: string
  /** Coin units for the estimate; null if no amount is entered. */
  amount: Units | null
  onStake: () => void
}

/** Plan card: name, duration, minimum, APY, and the return on the entered amount (UI-STAKE-04, UI-STAKE-05). */
export function PlanCard({ plan, unit, amount, onStake }: PlanCardProps) {
  const estimate = amount === null || amount === 0n ? undefined : estimateStake(plan, amount, new Date())
  const tooLittle = estimate !== undefined && amount !== null && amount < plan.minimum
  return (
    <Card className="flex flex-col" aria-labelledby={`plan-${plan.id}`}>
      <div className="flex items-start justify-between gap-3">
        <h3 id={`plan-${plan.id}`} className="text-md font-strong tracking-head">
          {plan.planName}
        </h3>
        {plan.omega === true && (
          <Badge tone="accent" plain>
            {t('Omega')}
          </Badge>
        )}
      </div>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="text-4xl font-strong tracking-num">{formatUnits(plan.apy)}%</span>
        <span className="text-sm text-muted">{t('APY')}</span>
      </p>
      <p className="mt-0.5 text-sm text-faint">
        <T text="in all over {duration} days" duration={plan.duration} />
      </p>
      <DescriptionList
        className="my-4 border-y"
        rows={[
          { key: 'duration', label: t('Duration'), value: t('{duration} days', { duration: plan.duration }) },
          {
            key: 'minimum',
            label: t('Minimum'),
            value: <Money value={plan.minimum} unit={unit} decimals={0} className={tooLittle ? 'text-warning' : undefined} />,
            hint: tooLittle && t('Your amount is below the minimum'),
          },
          ...(plan.levelShare === undefined
            ? []
            : [
                {
                  key: 'levels',
                  label: t('Level rewards for your sponsors'),
                  value: t('{levelShare}% of the full rate', {
                    levelShare: formatAmount(plan.levelShare, plan.levelShare % ONE === 0n ? 0 : 2),
                  }),
                },
              ]),
          plan.next !== undefined && {
            key: 'next',
            label: t('From {startsAt}', { startsAt: formatTime(plan.next.startsAt) }),
            value:
              plan.next.status === 'ACTIVE'
                ? t('{apy}% over {duration} days', { apy: formatUnits(plan.next.apy), duration: plan.next.duration })
                : t('Closed'),
          },
          {
            key: 'daily',
            label: t('Daily reward'),
            value: estimate ? <Money approx value={estimate.daily} unit={unit} decimals={2} /> : <span className="text-faint">–</span>,
          },
          {
            key: 'total',
            label: t('All rewards'),
            value: estimate ? <Money approx value={estimate.total} unit={unit} /> : <span className="text-faint">–</span>,
          },
        ]}
      />
      <Button variant="primary" block className="mt-auto" aria-describedby={`plan-${plan.id}`} onClick={onStake}>
        {t('Stake Now')}
      </Button>
    </Card>
  )
}

export function PlanCardSkeleton() {
  return (
    <Card>
      <Skeleton className="h-5 w-24" />
      <Skeleton className="mt-4 h-9 w-20" />
      <SkeletonText lines={4} className="my-6" />
      <Skeleton className="h-10 w-full" />
    </Card>
  )
}
