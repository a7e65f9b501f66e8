import { royBonusHistory } from '@tizara/contract/rewards'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { dailyRewardDetails, rewardHistoryColumns } from './daily-columns.tsx'

/** `/roi-history` (LS-17). */
export default function RewardHistoryScreen() {
  return (
    <PagedList
      title={t('Reward History')}
      subtitle={t('Rewards of your stakes by day.')}
      list={royBonusHistory}
      columns={rewardHistoryColumns}
      details={dailyRewardDetails}
      emptyHint={t('The first daily reward comes 24 hours after a stake begins.')}
    />
  )
}
