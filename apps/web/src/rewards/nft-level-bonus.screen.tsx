import { nftLevelBonus, type nftLevelBonusRow } from '@tizara/contract/rewards'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/list-columns.tsx'
import { PagedList } from '../lib/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { months, rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns: readonly ListColumn<InferOutput<typeof nftLevelBonusRow>>[] = [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'user', header: 'User', phone: 'title', value: (row) => `Bonus from ${row.email}` },
  rewardColumn('amount', 'Amount', 'usd', (row) => row.bonusAmount),
  { key: 'level', header: 'Level', phone: 'state', value: (row) => `level ${row.level}` },
  { key: 'duration', header: 'Duration', align: 'right', value: (row) => months(row.duration) },
  { key: 'roi', header: 'Daily ROI', align: 'right', value: (row) => row.dailyRoi },
  stateColumn,
]

/** `/store-nft/nft-level-bonus` (LS-25). */
export default function NftLevelBonusScreen() {
  return (
    <PagedList
      title="NFT Level Bonus History"
      subtitle="Bonuses from NFT purchases of your team, by level. Paid in USD to your NFT Wallet."
      list={nftLevelBonus}
      columns={columns}
      details={rewardDetails}
      emptyHint="A bonus appears here when a member of your team buys an NFT."
    >
      <Shares list="nftLevel" />
    </PagedList>
  )
}
