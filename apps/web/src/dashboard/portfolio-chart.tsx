import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { AreaChart } from '../ui/charts/area-chart.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { drawnCents, drawnText, drawnTick } from '../lib/drawn.ts'

/** Charts each day's closing total. */
export default function PortfolioChart({ days }: { days: readonly { day: string; total: Units }[] }) {
  return (
    <AreaChart
      label={t('Portfolio value in USD')}
      points={days.map(({ day, total }) => ({
        t: Date.parse(`${day}T00:00:00Z`),
        v: drawnCents(total),
        text: `${formatAmount(total)} USD`,
      }))}
      formatValue={drawnText}
      formatTick={drawnTick}
      valueLabel="USD"
      height={188}
      emptyText={t('The line begins with your first balance')}
    />
  )
}
