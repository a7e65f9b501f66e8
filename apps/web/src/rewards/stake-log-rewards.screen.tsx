import { pageOf } from '@tizara/contract'
import { stakeLogRewardHistory } from '@tizara/contract/rewards'
import { call } from '../lib/api.ts'
import { PagedList } from '../lib/paged-list.tsx'
import { dailyRewardDetails, stakeLogRewardColumns } from './daily-columns.tsx'

/** `/stake-logs-roi` (LS-40). */
export default function StakeLogRewardsScreen() {
  return (
    <PagedList
      title="Stake log Rewards"
      subtitle="What your Omega stakes paid, day by day."
      name={stakeLogRewardHistory.name}
      load={async (query, signal) => pageOf((await call(stakeLogRewardHistory, { query, signal })).data)}
      columns={stakeLogRewardColumns}
      details={dailyRewardDetails}
      emptyHint="The first daily reward comes 24 hours after an Omega stake begins."
    />
  )
}
