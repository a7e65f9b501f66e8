import { stakeLogBountyHistory } from '@tizara/contract/rewards'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { stakeLogBountyColumns } from './bounty-columns.tsx'
import { rewardDetails } from './reward-cells.tsx'

/** `/logs-profit-bounty-history` (LS-38). */
export default function StakeLogsProfitBountyScreen() {
  return (
    <PagedList
      title={t('Stake Logs Profit Bounty')}
      subtitle={t("Your share of the daily rewards of your team's Omega stakes.")}
      list={stakeLogBountyHistory}
      columns={stakeLogBountyColumns}
      details={rewardDetails}
      emptyHint={t('A share appears here when an Omega stake of your team pays its daily reward.')}
    >
      <Shares list="stakeLogBounty" />
    </PagedList>
  )
}
