import { nftMonthlyRoiHistory, type nftRewardRow } from '@tizara/contract/rewards'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import type { InferOutput } from 'valibot'
import { kindNames } from '../nfts/index.ts'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { months, RewardAmount, rewardDetails, rewardMark, stateColumn } from './reward-cells.tsx'

type Row = InferOutput<typeof nftRewardRow>

const columns = texts<readonly ListColumn<Row>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'nft', header: 'NFT', phone: 'title', value: (row) => row.myNft.name },
  { key: 'kind', header: 'Kind', value: (row) => kindNames[row.myNft.walletName] },
  { key: 'price', header: 'Price', align: 'right', asset: 'usd', value: (row) => row.myNft.price },
  { key: 'duration', header: 'Duration', align: 'right', value: (row) => months(row.myNft.duration) },
  { key: 'percent', header: 'Total Reward %', align: 'right', value: (row) => row.myNft.dailyRoi },
  {
    key: 'monthly',
    header: 'Monthly Reward',
    phone: 'amount',
    align: 'right',
    mark: (row) => rewardMark(row),
    value: (row) => row.myNft.monthlyRoi,
    cell: ({ myNft, ...row }, _, precision) =>
      typeof myNft.monthlyRoi === 'bigint' ? <RewardAmount amount={myNft.monthlyRoi} asset="usd" row={row} precision={precision} /> : '',
  },
  stateColumn,
])

/** Shows the month, and the amount paid if it differs from the plan. */
function nftRewardDetails(row: Row): DescriptionRow[] {
  return [
    ...(row.month === undefined
      ? []
      : [{ key: 'month', label: t('Month'), value: t('{month} of {duration}', { month: row.month, duration: row.myNft.duration }) }]),
    ...(row.amount === undefined ? [] : [{ key: 'amount', label: t('Paid'), value: `${formatUnits(row.amount)} USD` }]),
    ...rewardDetails(row),
  ]
}

/** `/store-nft/nft-roi` (LS-41, LS-42). */
export default function NftRoiScreen() {
  return (
    <PagedList
      title={t('NFT ROI History')}
      subtitle={t('Rewards of your NFTs by month. Paid in USD to your NFT Wallet.')}
      list={nftMonthlyRoiHistory}
      columns={columns}
      details={nftRewardDetails}
      emptyHint={t('The first reward comes one month after you buy an NFT.')}
    />
  )
}
