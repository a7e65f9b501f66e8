import { profitBountyHistory } from '@tizara/contract/rewards'
import { PagedList } from '../lib/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { profitBountyColumns } from './bounty-columns.tsx'
import { rewardDetails } from './reward-cells.tsx'

/** `/profit-bounty-history` (LS-15). */
export default function ProfitBountyScreen() {
  return (
    <PagedList
      title="Profit Bounty History"
      subtitle="Your share of the daily rewards of your team."
      list={profitBountyHistory}
      columns={profitBountyColumns}
      details={rewardDetails}
      emptyHint="A share appears here when a stake of your team pays its daily reward."
    >
      <Shares list="bounty" />
    </PagedList>
  )
}
