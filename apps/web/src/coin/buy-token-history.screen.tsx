import { buyTokenHistory, type buyTokenRow } from '@tizara/contract/coin'
import { t, texts } from '@tizara/languages'
import type * as v from 'valibot'
import { type ListColumn, PagedList } from '../lib/lists/paged-list.tsx'
import { coinMessages } from './coin.messages.ts'

type Row = v.InferOutput<typeof buyTokenRow>

const columns = texts<readonly ListColumn<Row>[]>('header', [
  { key: 'coinAmount', header: 'Coin Amount', phone: 'amount', align: 'right', asset: 'coin', value: (row) => row.coinAmount },
  { key: 'coinPrice', header: 'Price', align: 'right', asset: 'usd', exact: true, value: (row) => row.coinPrice },
  { key: 'totalPrice', header: 'Total Price', phone: 'second', align: 'right', asset: 'usd', value: (row) => row.totalPrice },
  { key: 'createdAt', header: 'Time', phone: 'title', time: true, value: (row) => row.createdAt },
])

/** `/buy-token-history` (LS-14). */
export default function BuyTokenHistoryScreen() {
  return (
    <PagedList
      title={coinMessages.history}
      subtitle={t('Coin you bought, newest first.')}
      list={buyTokenHistory}
      columns={columns}
      emptyHint={t('No purchases yet.')}
      emptyAction={{ href: '/dashboard?open=buy-token', label: coinMessages.buy }}
    />
  )
}
