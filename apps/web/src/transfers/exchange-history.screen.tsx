import { exchangeHistory, type exchangeRow } from '@tizara/contract/transfers'
import type * as v from 'valibot'
import { type ListColumn, PagedList } from '../lib/paged-list.tsx'
import { transferMessages } from './transfers.messages.ts'

type Row = v.InferOutput<typeof exchangeRow>

const columns: readonly ListColumn<Row>[] = [
  { key: 'createdAt', header: 'Date', phone: 'title', value: (row) => row.createdAt },
  { key: 'email', header: 'Email', phone: 'second', className: 'break-all', value: (row) => row.user.email },
  { key: 'amount', header: 'Amount', phone: 'amount', align: 'right', asset: 'coin', value: (row) => row.amount },
]

/** `/history/transfer-history` (LS-16). */
export default function ExchangeHistoryScreen() {
  return (
    <PagedList
      title={transferMessages.history}
      subtitle="Coin you moved from your ICO Wallet to My Wallet."
      list={exchangeHistory}
      columns={columns}
      emptyHint="No transfers from your ICO Wallet yet."
      emptyAction={{ href: '/dashboard?open=exchange', label: transferMessages.exchange }}
    />
  )
}
