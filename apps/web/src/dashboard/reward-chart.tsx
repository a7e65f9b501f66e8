import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { drawnText, drawnTick } from '../lib/drawn.ts'
import { formatDate } from '../lib/format.ts'
import { StackedBars } from '../ui/charts/stacked-bars.tsx'
import { rewardBars, rewardSeries, type RewardWeek } from './weekly-rewards.ts'

/** Weekly rewards as stacked bars by kind. */
export default function RewardChart({ weeks, coinPrice }: { weeks: readonly RewardWeek[]; coinPrice: Units }) {
  const groups = rewardBars(weeks, coinPrice, formatDate)
  const used = rewardSeries
    .map((series, index) => ({ ...series, color: index + 1 }))
    .filter(({ key }) => groups.some((group) => (group.values[key] ?? 0) > 0))
  return (
    <StackedBars
      label={t('Rewards by week in USD')}
      series={used}
      groups={groups}
      groupLabel={t('Week')}
      formatValue={(cents) => `${drawnText(cents)} USD`}
      formatTick={drawnTick}
      height={244}
      emptyText={t('Your weekly rewards appear here')}
    />
  )
}
