import { type Nft, nftHistory } from '@tizara/contract/nfts'
import { t, texts } from '@tizara/languages'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { PagedList } from '../lib/lists/paged-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { messages } from './nfts.messages.ts'
import { kindNames, payWalletName } from './nfts.rules.ts'

const statusText = (nft: Nft): string => (nft.status === 'ACTIVE' ? messages.running : messages.closed)

/** LS-43, LS-44, ST-43, ST-44. */
const columns = texts<readonly ListColumn<Nft>[]>('header', [
  { key: 'no', header: 'SL NO', value: (_, index) => index + 1 },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'nft', header: 'NFT', phone: 'title', value: (row) => row.name },
  { key: 'kind', header: 'Kind', value: (row) => kindNames[row.walletName] },
  { key: 'price', header: 'Price', phone: 'amount', align: 'right', asset: 'usd', value: (row) => row.price },
  { key: 'paidBy', header: 'Paid By', className: 'tbl:whitespace-nowrap', value: (row) => payWalletName(row.paidBy) },
  {
    key: 'duration',
    header: 'Duration',
    align: 'right',
    value: (row) => t('{count, plural, one {{count} month} other {{count} months}}', { count: row.duration }),
  },
  { key: 'percent', header: 'Total Reward %', align: 'right', value: (row) => row.dailyRoi },
  { key: 'monthly', header: 'Monthly Reward', align: 'right', asset: 'usd', value: (row) => row.monthlyRoi },
  { key: 'total', header: 'Total Reward', align: 'right', asset: 'usd', value: (row) => row.totalRoi },
  { key: 'last', header: 'Last Distribution', value: (row) => row.lastDistributionDate },
  {
    key: 'status',
    header: 'Status',
    phone: 'state',
    value: statusText,
    cell: (row) => <Badge tone={row.status === 'ACTIVE' ? 'success' : 'danger'}>{statusText(row)}</Badge>,
  },
])

/** `/store-nft/nft-histor_y` (LS-43, LS-44). */
export default function NftHistoryScreen() {
  return (
    <PagedList
      title={t('NFT History')}
      subtitle={t('The NFTs you bought. Prices and rewards in USD.')}
      list={nftHistory}
      columns={columns}
      emptyHint={t('An NFT appears here as soon as you buy one.')}
      emptyAction={{ href: '/store-nft/buy-nft', label: t('See what is on sale') }}
    />
  )
}
