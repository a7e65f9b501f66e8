import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { rewardSeries, rewardValues } from '../dashboard/weekly-rewards.ts'
import { drawnText, drawnTick } from '../lib/drawn.ts'
import { formatMonth } from '../lib/format.ts'
import { StackedBars } from '../ui/charts/stacked-bars.tsx'
import type { MonthSum } from './earnings.queries.ts'

/** A year's rewards by month as stacked bars by kind. */
export default function EarningsChart({ months, coinPrice }: { months: readonly MonthSum[]; coinPrice: Units }) {
  const groups = [...Map.groupBy(months, ({ month }) => month)].map(([month, sums]) => ({
    key: month,
    label: formatMonth(month).slice(0, 3),
    title: formatMonth(month),
    values: rewardValues(sums, coinPrice),
  }))
  const used = rewardSeries
    .map((series, index) => ({ ...series, color: index + 1 }))
    .filter(({ key }) => groups.some((group) => (group.values[key] ?? 0) > 0))
  return (
    <StackedBars
      label={t('Earnings by month in USD')}
      series={used}
      groups={groups}
      groupLabel={t('Month')}
      formatValue={(cents) => `${drawnText(cents)} USD`}
      formatTick={drawnTick}
      height={230}
    />
  )
}
