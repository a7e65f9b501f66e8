import { buyTokenHistory, type buyTokenRow } from '@tizara/contract/coin'
import type * as v from 'valibot'
import { Link } from 'wouter'
import { call } from '../lib/api.ts'
import { type ListColumn, PagedList } from '../lib/paged-list.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { coinMessages } from './coin.messages.ts'

type Row = v.InferOutput<typeof buyTokenRow>

const columns: readonly ListColumn<Row>[] = [
  { key: 'coinAmount', header: 'Coin Amount', align: 'right', value: (row) => row.coinAmount },
  { key: 'coinPrice', header: 'Price', align: 'right', value: (row) => row.coinPrice },
  { key: 'totalPrice', header: 'Total Price', align: 'right', value: (row) => row.totalPrice },
  { key: 'createdAt', header: 'Time', time: true, value: (row) => row.createdAt },
]

/** `/buy-token-history` (LS-14). */
export default function BuyTokenHistoryScreen() {
  return (
    <PagedList
      title={coinMessages.history}
      subtitle="Coin you bought, newest first."
      name={buyTokenHistory.name}
      load={async (query, signal) => (await call(buyTokenHistory, { query, signal })).data}
      columns={columns}
      emptyHint="What you buy will stand here."
      emptyAction={
        <Link href="/dashboard?open=buy-token" className={buttonClass('primary', 'sm')}>
          {coinMessages.buy}
        </Link>
      }
    />
  )
}
