import { stakeLogRewardHistory } from '@tizara/contract/rewards'
import { PagedList } from '../lib/paged-list.tsx'
import { dailyRewardDetails, stakeLogRewardColumns } from './daily-columns.tsx'

/** `/stake-logs-roi` (LS-40). */
export default function StakeLogRewardsScreen() {
  return (
    <PagedList
      title="Stake log Rewards"
      subtitle="Rewards of your Omega stakes by day."
      list={stakeLogRewardHistory}
      columns={stakeLogRewardColumns}
      details={dailyRewardDetails}
      emptyHint="The first daily reward comes 24 hours after an Omega stake begins."
    />
  )
}
