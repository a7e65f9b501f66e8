import { nftProfitBountyHistory, type nftProfitBountyRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import type { InferOutput } from 'valibot'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Money } from '../ui/money.tsx'
import { Shares } from './lazy-programme.tsx'
import { months, rewardColumn, rewardDetails, stateColumn } from './reward-cells.tsx'

const columns = texts<readonly ListColumn<InferOutput<typeof nftProfitBountyRow>>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'from', header: 'From User', phone: 'title', value: (row) => row.nftDailyRoiHistory.user.email },
  {
    key: 'nft',
    header: 'Users NFT & Reward',
    value: ({ nftDailyRoiHistory: source }) => `${source.myNft.name} ${formatUnits(source.dailyRoi)}`,
    cell: ({ nftDailyRoiHistory: source }, _, precision) => (
      <>
        {source.myNft.name} <Money value={source.dailyRoi} unit="USD" decimals={precision} className="text-faint" />
      </>
    ),
  },
  rewardColumn('profit', 'My Profit', 'usd', (row) => row.profit),
  { key: 'level', header: 'My Level', phone: 'state', align: 'right', value: (row) => row.level },
  { key: 'duration', header: 'Duration', align: 'right', value: (row) => months(row.duration) },
  { key: 'roi', header: 'Daily ROI', align: 'right', value: (row) => row.dailyRoi },
  stateColumn,
])

/** `/store-nft/nft-roi-profit-bounty` (LS-26). */
export default function NftProfitBountyScreen() {
  return (
    <PagedList
      title={t('NFT Profit Bounty History')}
      subtitle={t('Your share of the monthly NFT rewards of your team. Paid in USD to your NFT Wallet.')}
      list={nftProfitBountyHistory}
      columns={columns}
      details={rewardDetails}
      emptyHint={t('A share appears here when an NFT of your team pays its monthly reward.')}
    >
      <Shares list="nftBounty" />
    </PagedList>
  )
}
