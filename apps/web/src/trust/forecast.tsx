import type { ReplyOf } from '@tizara/contract'
import type { RewardKind } from '@tizara/contract/rewards'
import type { trustPage } from '@tizara/contract/trust'
import { formatUnits } from '@tizara/money'
import { type BarGroup, StackedBars } from '../ui/charts/stacked-bars.tsx'

type Item = ReplyOf<typeof trustPage>['forecast'][number]

const NAMES: Readonly<Record<RewardKind, string>> = {
  referral: 'Referral',
  level: 'Level',
  daily: 'Daily rewards',
  'profit-bounty': 'Profit bounty',
  'stake-log': 'Omega rewards',
  'stake-log-bounty': 'Omega bounty',
  rank: 'Rank',
  'nft-monthly': 'NFT rewards',
  'nft-level': 'NFT level bonus',
  'nft-profit-bounty': 'NFT bounty',
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats `2026-07` as a month name. */
function monthName(month: string, long: boolean): string {
  const [year = '', number = ''] = month.split('-')
  const name = MONTHS[Number(number) - 1] ?? month
  return long ? `${name} ${year}` : name
}

/** Charts one asset's promised rewards by month and kind. */
export function Forecast({ items, unit }: { items: readonly Item[]; unit: string }) {
  const kinds = [...new Set(items.map((item) => item.kind))]
  const months = [...new Set(items.map((item) => item.month))].toSorted()
  const groups: BarGroup[] = months.map((month) => {
    const values: Record<string, number> = {}
    // For drawing only; the server sends the official sums.
    for (const item of items) if (item.month === month) values[item.kind] = (values[item.kind] ?? 0) + Number(formatUnits(item.amount))
    return { key: month, label: monthName(month, false), title: `${monthName(month, true)}, ${unit}`, values }
  })
  return (
    <StackedBars
      label={`Promised rewards by month, in ${unit}`}
      series={kinds.map((kind) => ({ key: kind, label: NAMES[kind] }))}
      groups={groups}
      groupLabel="Month"
      emptyText="No rewards promised for the coming months"
    />
  )
}
