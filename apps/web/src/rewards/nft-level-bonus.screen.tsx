import { nftLevelBonus, type nftLevelBonusRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Shares } from './lazy-programme.tsx'
import { months, rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns = texts<readonly ListColumn<InferOutput<typeof nftLevelBonusRow>>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'user', header: 'User', phone: 'title', value: (row) => t('Bonus from {email}', { email: row.email }) },
  rewardColumn('amount', 'Amount', 'usd', (row) => row.bonusAmount),
  { key: 'level', header: 'Level', phone: 'state', value: (row) => t('level {level}', { level: row.level }) },
  { key: 'duration', header: 'Duration', align: 'right', value: (row) => months(row.duration) },
  { key: 'roi', header: 'Daily ROI', align: 'right', value: (row) => row.dailyRoi },
  stateColumn,
])

/** `/store-nft/nft-level-bonus` (LS-25). */
export default function NftLevelBonusScreen() {
  return (
    <PagedList
      title={t('NFT Level Bonus History')}
      subtitle={t('Bonuses from NFT purchases of your team, by level. Paid in USD to your NFT Wallet.')}
      list={nftLevelBonus}
      columns={columns}
      details={rewardDetails}
      emptyHint={t('A bonus appears here when a member of your team buys an NFT.')}
    >
      <Shares list="nftLevel" />
    </PagedList>
  )
}
