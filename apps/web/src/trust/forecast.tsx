import type { ReplyOf } from '@tizara/contract'
import { rewardNames } from '@tizara/contract/reward-names'
import type { trustPage } from '@tizara/contract/trust'
import { afterComma, t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { formatMonth } from '../lib/format.ts'
import { type BarGroup, StackedBars } from '../ui/charts/stacked-bars.tsx'

type Item = ReplyOf<typeof trustPage>['forecast'][number]

/** Charts one asset's promised rewards by month and kind. */
export function Forecast({ items, unit }: { items: readonly Item[]; unit: string }) {
  const kinds = [...new Set(items.map((item) => item.kind))]
  const months = [...new Set(items.map((item) => item.month))].toSorted()
  const groups: BarGroup[] = months.map((month) => {
    const values: Record<string, number> = {}
    // For drawing only; the server sends the official sums.
    for (const item of items) if (item.month === month) values[item.kind] = (values[item.kind] ?? 0) + Number(formatUnits(item.amount))
    return { key: month, label: formatMonth(month).replace(/ .*/, ''), title: formatMonth(month) + afterComma(unit), values }
  })
  return (
    <StackedBars
      label={t('Promised rewards by month, in {unit}', { unit })}
      series={kinds.map((kind) => ({ key: kind, label: t(rewardNames[kind]) }))}
      groups={groups}
      groupLabel={t('Month')}
      emptyText={t('No rewards promised for the coming months')}
    />
  )
}
