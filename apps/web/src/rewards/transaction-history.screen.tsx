import { transactionHistory, type referralRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

/** Names the buyer. The state of a purchase that earned nothing shows the reason (RW-01). */
const detailsOf = ({ bonusFrom, status }: InferOutput<typeof referralRow>): string =>
  `${status === 'unearned' ? t('Purchase by') : t('Reward from')} ${bonusFrom}`

const columns = texts<readonly ListColumn<InferOutput<typeof referralRow>>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  rewardColumn('amount', 'Amount', 'coin', (row) => row.amount),
  { key: 'details', header: 'Details', phone: 'title', value: detailsOf },
  { key: 'time', header: 'Time', phone: 'second', value: (row) => row.createdAt, time: true },
  stateColumn,
])

/** `/history/transaction-history` (LS-13). */
export default function TransactionHistoryScreen() {
  return (
    <PagedList
      title={t('Transaction History')}
      subtitle={t('Rewards from coin purchases of the people you referred.')}
      list={transactionHistory}
      columns={columns}
      details={rewardDetails}
      emptyHint={t('A reward appears here when a person you referred buys coin.')}
    >
      <Shares list="referral" />
    </PagedList>
  )
}
