import { pageOf } from '@tizara/contract'
import { transactionHistory, type referralRow } from '@tizara/contract/rewards'
import type { InferOutput } from 'valibot'
import { call } from '../lib/api.ts'
import type { ListColumn } from '../lib/list-columns.tsx'
import { PagedList } from '../lib/paged-list.tsx'
import { Shares } from './programme-later.tsx'
import { RewardAmount, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns: readonly ListColumn<InferOutput<typeof referralRow>>[] = [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    value: (row) => row.amount,
    cell: (row) => <RewardAmount amount={row.amount} row={row} />,
  },
  { key: 'details', header: 'Details', value: (row) => `Reward from ${row.bonusFrom}` },
  { key: 'time', header: 'Time', value: (row) => row.createdAt, time: true },
  stateColumn,
]

/** `/history/transaction-history` (LS-13). */
export default function TransactionHistoryScreen() {
  return (
    <PagedList
      title="Transaction History"
      subtitle="What coin purchases of the people you referred brought you."
      name={transactionHistory.name}
      load={async (query, signal) => pageOf((await call(transactionHistory, { query, signal })).data)}
      columns={columns}
      details={rewardDetails}
      emptyHint="A reward appears here when somebody you referred buys coin."
    >
      <Shares list="referral" />
    </PagedList>
  )
}
