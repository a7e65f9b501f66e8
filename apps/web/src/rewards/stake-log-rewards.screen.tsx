import { stakeLogRewardHistory } from '@tizara/contract/rewards'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { dailyRewardDetails, stakeLogRewardColumns } from './daily-columns.tsx'

/** `/stake-logs-roi` (LS-40). */
export default function StakeLogRewardsScreen() {
  return (
    <PagedList
      title={t('Stake log Rewards')}
      subtitle={t('Rewards of your Omega stakes by day.')}
      list={stakeLogRewardHistory}
      columns={stakeLogRewardColumns}
      details={dailyRewardDetails}
      emptyHint={t('The first daily reward comes 24 hours after an Omega stake begins.')}
    />
  )
}
