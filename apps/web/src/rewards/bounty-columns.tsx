import type { profitBountyRow } from '@tizara/contract/rewards'
import { texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { Person, planWithDuration, rewardColumn, stateColumn } from './reward-cells.tsx'

type Row = InferOutput<typeof profitBountyRow>
type Column = ListColumn<Row>

const userOf = (row: Row) => row.dailyBonus.userStake.user

const columns = texts('header', {
  no: { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  date: { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  profit: rewardColumn('profit', 'Profit', 'coin', (row) => row.profit),
  level: { key: 'level', header: 'Level', phone: 'state', align: 'right', value: (row) => row.level },
  user: {
    key: 'user',
    header: 'User',
    phone: 'title',
    value: (row) => `${userOf(row).email} ${userOf(row).name}`,
    cell: (row) => <Person {...userOf(row)} />,
  },
  plan: { key: 'plan', header: 'Staked Plan', value: (row) => planWithDuration(row.dailyBonus.userStake) },
  bonus: { key: 'bonus', header: 'Staked Bonus', align: 'right', asset: 'coin', value: (row) => row.dailyBonus.dailyRoy },
} satisfies Record<string, Column>)

/** Profit Bounty History (LS-15, LS-08). */
export const profitBountyColumns: readonly Column[] = [
  columns.date,
  columns.profit,
  columns.level,
  columns.user,
  columns.plan,
  columns.bonus,
  stateColumn,
]

/** Stake Logs Profit Bounty (LS-38): the same fields with other names. */
export const stakeLogBountyColumns = texts<readonly Column[]>('header', [
  columns.no,
  columns.date,
  { ...columns.profit, header: 'Profit Amount' },
  { ...columns.level, header: 'MY Level' },
  columns.user,
  columns.plan,
  columns.bonus,
  stateColumn,
])
