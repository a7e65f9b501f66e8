import { translateResponse } from '@tizara/contract/response-texts'
import { myRankedBonus, type rankBonusRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { RankLadder } from './lazy-programme.tsx'
import { rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns = texts<readonly ListColumn<InferOutput<typeof rankBonusRow>>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'email', header: 'Email', value: (row) => row.user.email },
  { key: 'rank', header: 'Rank', phone: 'title', value: (row) => row.rank.toUpperCase() },
  rewardColumn('amount', 'Amount', 'coin', (row) => row.bonus),
  { key: 'desc', header: 'Description', value: (row) => row.desc, cell: (row) => row.desc && translateResponse(row.desc, t) },
  stateColumn,
])

/** `/rank-bonus` (LS-39). */
export default function RankBonusScreen() {
  return (
    <PagedList
      title={t('Rank Bonus History')}
      subtitle={t('Bonuses for the ranks that you reached.')}
      list={myRankedBonus}
      columns={columns}
      details={rewardDetails}
      emptyHint={t('The stakes of your whole team decide your rank.')}
    >
      <RankLadder />
    </PagedList>
  )
}
