import type { StakePlan } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import type { ReactNode } from 'react'
import { formatDate, formatUtc } from '../lib/format.ts'
import { AreaChart, type ChartPoint } from '../ui/charts/area-chart.tsx'
import { Timeline } from '../ui/charts/timeline.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { type Estimate, estimateStake } from './staking.rules.ts'

const STEPS = 24

/** Returns cumulative rewards over the plan's days. Numbers only position the line; readouts stay exact. */
function pointsOf(plan: StakePlan, { daily, maturesAt }: Estimate, unit: string): ChartPoint[] {
  const start = maturesAt.getTime() - plan.duration * 86_400_000
  const days = [...new Set(Array.from({ length: STEPS + 1 }, (_, i) => Math.round((plan.duration * i) / STEPS)))]
  return days.map((day) => {
    const sum = daily * BigInt(day)
    return {
      t: start + day * 86_400_000,
      v: Number(formatUnits(sum)),
      text: t('{sum} {unit} after {day} days', { sum: formatAmount(sum), unit, day }),
    }
  })
}

export interface ProjectionProps {
  plan: StakePlan
  /** Coin units, above 0. */
  amount: Units
  unit: string
}

/** Charts a stake's projected rewards and maturity. */
export function Projection({ plan, amount, unit }: ProjectionProps) {
  const estimate = estimateStake(plan, amount, new Date())
  const middle = Math.floor(plan.duration / 2)
  const halfway = new Date(estimate.maturesAt.getTime() - (plan.duration - middle) * 86_400_000)
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
      <div className="min-w-0">
        <dl className="mb-5 grid grid-cols-2 gap-x-5 gap-y-3.5 sm:grid-cols-3">
          <Figure label={t('Daily reward')} value={<Money value={estimate.daily} unit={unit} decimals={2} />} />
          <Figure label={t('All rewards')} value={<Money value={estimate.total} unit={unit} />} />
          <Figure label={t('Matures')} value={formatDate(estimate.maturesAt)} />
        </dl>
        <AreaChart
          label={t('Estimated rewards added up')}
          points={pointsOf(plan, estimate, unit)}
          zero
          height={190}
          valueLabel={t('Rewards')}
        />
      </div>
      <div className="min-w-0">
        <h3 className="mb-1 text-sm font-semi">{t('Payment schedule')}</h3>
        <Timeline
          label={t('Payment schedule')}
          items={[
            {
              key: 'now',
              when: t('Now'),
              title: t('Leaves your wallet'),
              value: <span dir="ltr">{`−${formatAmount(amount)}`}</span>,
              filled: true,
              tone: 'neutral',
            },
            item('first', estimate.firstAt, t('First daily reward'), estimate.daily, t('then one every 24 hours')),
            ...(middle > 1 ? [item('half', halfway, t('Halfway'), estimate.daily * BigInt(middle), t('rewards so far'))] : []),
            item('last', estimate.maturesAt, t('Last daily reward'), estimate.total, t('all rewards together')),
            item('back', estimate.maturesAt, t('Your coin returns'), amount, t('to the wallet it came from')),
          ]}
        />
      </div>
    </div>
  )
}

function item(key: string, at: Date, title: string, amount: Units, hint: string) {
  return {
    key,
    when: (
      <span title={formatUtc(at)}>
        {formatDate(at).slice(0, 6)} <span className="block text-2xs">{at.getFullYear()}</span>
      </span>
    ),
    dateTime: at.toISOString(),
    title,
    hint,
    value: formatAmount(amount),
    tone: key === 'back' ? ('success' as const) : ('accent' as const),
  }
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-lg font-strong tracking-num">{value}</dd>
    </div>
  )
}
