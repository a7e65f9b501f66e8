import type { StakeRow } from '@tizara/contract/staking'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { Moment } from '../lib/moment.tsx'
import { stakeProgress } from './staking.rules.ts'
import { StakeStatus } from './stake-status.tsx'

/** Columns for My Staked and My Staked Logs (LS-18 to LS-23). */
export const stakeColumns = texts<readonly ListColumn<StakeRow>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'plan', header: 'Plan Name', phone: 'title', value: (row) => row.planName },
  { key: 'wallet', header: 'Wallet', value: (row) => row.wallet },
  { key: 'amount', header: 'Amount', phone: 'amount', align: 'right', asset: 'coin', value: (row) => row.stakeAmount },
  { key: 'duration', header: 'Duration', align: 'right', value: (row) => `${row.duration}D` },
  { key: 'apy', header: 'APY %', align: 'right', value: (row) => row.apy },
  { key: 'daily', header: 'Daily Reward', align: 'right', asset: 'coin', value: (row) => row.dailyRoy },
  { key: 'start', header: 'Start date', value: (row) => row.startDate ?? row.createdAt },
  { key: 'status', header: 'Status', phone: 'state', value: (row) => row.status, cell: (row) => <StakeStatus status={row.status} /> },
])

/** Receipt fields without a column. */
export function stakeDetails(row: StakeRow): DescriptionRow[] {
  const { doneDays, counted, days, maturesAt } = stakeProgress(row, new Date())
  return [
    {
      key: 'days',
      label: t('Days {counted, select, run {run} other {paid}}', { counted }),
      value: t('{doneDays} of {days}', { doneDays, days }),
    },
    ...(row.paidTotal === undefined ? [] : [{ key: 'paid', label: t('Rewards paid'), value: formatUnits(row.paidTotal) }]),
    { key: 'matures', label: t('Matures'), value: <Moment at={maturesAt} /> },
    ...(row.status === 'COMPLETED'
      ? [{ key: 'end', label: t('Outcome'), value: t('The stake ran to its end. Its coin was returned.') }]
      : []),
    ...(row.status === 'REVERSED' ? [{ key: 'end', label: t('Outcome'), value: t('The stake was undone. Its coin was returned.') }] : []),
  ]
}
