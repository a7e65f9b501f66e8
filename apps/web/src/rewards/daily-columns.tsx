import type { dailyRewardRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

type Row = InferOutput<typeof dailyRewardRow>
type Column = ListColumn<Row>

const columns = texts('header', {
  no: { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  date: { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  plan: { key: 'plan', header: 'Plan Name', phone: 'title', value: (row) => row.userStake.planName },
  amount: { key: 'amount', header: 'Stake Amount', align: 'right', asset: 'coin', value: (row) => row.userStake.stakeAmount },
  apy: { key: 'apy', header: 'APY', align: 'right', value: (row) => row.userStake.apy },
  daily: rewardColumn('daily', 'Daily Token', 'coin', (row) => row.dailyRoy),
} satisfies Record<string, Column>)

/** Reward History (LS-17, LS-08). */
export const rewardHistoryColumns: readonly Column[] = [columns.date, columns.plan, columns.amount, columns.apy, columns.daily, stateColumn]

/** Stake log Rewards (LS-40): with a row number and percent sign. */
export const stakeLogRewardColumns = texts<readonly Column[]>('header', [
  columns.no,
  columns.date,
  columns.plan,
  columns.amount,
  { key: 'apy', header: 'APY', align: 'right', value: (row) => `${formatUnits(row.userStake.apy)}%` },
  columns.daily,
  stateColumn,
])

/** Explains the amount: day, stake and base sum. */
export function dailyRewardDetails(row: Row): DescriptionRow[] {
  const { planName, stakeAmount, apy, duration } = row.userStake
  return [
    ...(row.day === undefined
      ? []
      : [{ key: 'day', label: t('Day'), value: t('{day} of {duration}', { day: row.day, duration }), hint: planName }]),
    { key: 'sum', label: t('Sum'), value: `${formatUnits(stakeAmount)} ÷ 100 × ${formatUnits(apy)} ÷ ${duration}` },
    ...rewardDetails(row),
  ]
}
