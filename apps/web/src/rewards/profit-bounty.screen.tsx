import { profitBountyHistory } from '@tizara/contract/rewards'
import { t } from '@tizara/languages'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { profitBountyColumns } from './bounty-columns.tsx'
import { rewardDetails } from './reward-cells.tsx'

/** `/profit-bounty-history` (LS-15). */
export default function ProfitBountyScreen() {
  return (
    <PagedList
      title={t('Profit Bounty History')}
      subtitle={t('Your share of the daily rewards of your team.')}
      list={profitBountyHistory}
      columns={profitBountyColumns}
      details={rewardDetails}
      emptyHint={t('A share appears here when a stake of your team pays its daily reward.')}
    >
      <Shares list="bounty" />
    </PagedList>
  )
}
