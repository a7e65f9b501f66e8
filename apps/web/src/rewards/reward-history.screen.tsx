import { pageOf } from '@tizara/contract'
import { royBonusHistory } from '@tizara/contract/rewards'
import { call } from '../lib/api.ts'
import { PagedList } from '../lib/paged-list.tsx'
import { dailyRewardDetails, rewardHistoryColumns } from './daily-columns.tsx'

/** `/roi-history` (LS-17). */
export default function RewardHistoryScreen() {
  return (
    <PagedList
      title="Reward History"
      subtitle="What your stakes paid, day by day."
      name={royBonusHistory.name}
      load={async (query, signal) => pageOf((await call(royBonusHistory, { query, signal })).data)}
      columns={rewardHistoryColumns}
      details={dailyRewardDetails}
      emptyHint="The first daily reward comes 24 hours after a stake begins."
    />
  )
}
