import type { StakePlan } from '@tizara/contract/staking'
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
            Omega
          </Badge>
        )}
      </div>
      <p className="mt-3 flex items-baseline gap-2">
        <span className="text-4xl font-strong tracking-num">{formatUnits(plan.apy)}%</span>
        <span className="text-sm text-muted">APY</span>
      </p>
      <p className="mt-0.5 text-sm text-faint">in all over {plan.duration} days</p>
      <DescriptionList
        className="my-4 border-y"
        rows={[
          { key: 'duration', label: 'Duration', value: `${plan.duration} days` },
          {
            key: 'minimum',
            label: 'Minimum',
            value: <Money value={plan.minimum} unit={unit} decimals={0} className={tooLittle ? 'text-warning' : undefined} />,
            hint: tooLittle && 'Your amount is below the minimum',
          },
          ...(plan.levelShare === undefined
            ? []
            : [
                {
                  key: 'levels',
                  label: 'Level rewards for your sponsors',
                  value: `${formatAmount(plan.levelShare, plan.levelShare % ONE === 0n ? 0 : 2)}% of the full rate`,
                },
              ]),
          plan.next !== undefined && {
            key: 'next',
            label: `From ${formatTime(plan.next.startsAt)}`,
            value: plan.next.status === 'ACTIVE' ? `${formatUnits(plan.next.apy)}% over ${plan.next.duration} days` : 'Closed',
          },
          {
            key: 'daily',
            label: 'Daily reward',
            value: estimate ? <Money approx value={estimate.daily} unit={unit} decimals={2} /> : <span className="text-faint">–</span>,
          },
          {
            key: 'total',
            label: 'All rewards',
            value: estimate ? <Money approx value={estimate.total} unit={unit} /> : <span className="text-faint">–</span>,
          },
        ]}
      />
      <Button variant="primary" block className="mt-auto" aria-describedby={`plan-${plan.id}`} onClick={onStake}>
        Stake Now
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
