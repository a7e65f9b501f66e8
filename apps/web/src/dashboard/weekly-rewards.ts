import type { RewardKind } from '@tizara/contract/rewards'
import type { Asset } from '@tizara/contract/wallets'
import { t, texts } from '@tizara/languages'
import { type Units, usdForCoin } from '@tizara/money'
import { drawnCents } from '../lib/drawn.ts'
import type { BarGroup, BarSeries } from '../ui/charts/stacked-bars.tsx'

/** Bar parts: groups ten reward kinds into six. */
export const rewardSeries = texts<readonly BarSeries[]>('label', [
  { key: 'daily', label: 'Daily' },
  { key: 'bounty', label: 'Bounty' },
  { key: 'level', label: 'Level' },
  { key: 'referral', label: 'Referral' },
  { key: 'nft', label: 'NFT' },
  { key: 'rank', label: 'Rank' },
])

const partOf: Readonly<Record<RewardKind, string>> = {
  daily: 'daily',
  'stake-log': 'daily',
  'profit-bounty': 'bounty',
  'stake-log-bounty': 'bounty',
  level: 'level',
  referral: 'referral',
  'nft-monthly': 'nft',
  'nft-level': 'nft',
  'nft-profit-bounty': 'nft',
  rank: 'rank',
}

/** One week in `GET /rewards/weekly`. */
export interface RewardWeek {
  week: string
  startsOn: string
  sums: readonly { kind: RewardKind; asset: Asset; amount: Units }[]
}

/**
 * Returns a bar's values by part in hundredths of USD, with coin at one price so that kinds can stack.
 * @param coinPrice USD units for one coin
 */
export function rewardValues(sums: RewardWeek['sums'], coinPrice: Units): Record<string, number> {
  const parts = new Map<string, Units>()
  for (const { kind, asset, amount } of sums) {
    const usd = asset === 'usd' ? amount : amount < 0n ? -usdForCoin(-amount, coinPrice) : usdForCoin(amount, coinPrice)
    parts.set(partOf[kind], (parts.get(partOf[kind]) ?? 0n) + usd)
  }
  return Object.fromEntries([...parts].map(([part, usd]) => [part, Math.max(0, drawnCents(usd))]))
}

/**
 * Builds the reward chart's bars in hundredths of USD, with coin at one price so that kinds can stack.
 * @param coinPrice USD units for one coin
 */
export function rewardBars(weeks: readonly RewardWeek[], coinPrice: Units, formatDay: (day: Date) => string): BarGroup[] {
  return weeks.map(({ week, startsOn, sums }) => {
    const number = week.slice(week.indexOf('W') + 1).replace(/^0/, '')
    const monday = formatDay(new Date(`${startsOn}T00:00:00`))
    return {
      key: week,
      label: monday.slice(0, 6),
      title: t('Week {number}, from {monday}', { number, monday }),
      values: rewardValues(sums, coinPrice),
    }
  })
}
