import { exchangeHistory, type exchangeRow } from '@tizara/contract/transfers'
import type * as v from 'valibot'
import { Link } from 'wouter'
import { call } from '../lib/api.ts'
import { type ListColumn, PagedList } from '../lib/paged-list.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { transferMessages } from './transfers.messages.ts'

type Row = v.InferOutput<typeof exchangeRow>

const columns: readonly ListColumn<Row>[] = [
  { key: 'createdAt', header: 'Date', value: (row) => row.createdAt },
  { key: 'email', header: 'Email', className: 'break-all', value: (row) => row.user.email },
  { key: 'amount', header: 'Amount', align: 'right', value: (row) => row.amount },
]

/** `/history/transfer-history` (LS-16). */
export default function ExchangeHistoryScreen() {
  return (
    <PagedList
      title={transferMessages.history}
      subtitle="Coin you moved from your ICO Wallet to My Wallet."
      name={exchangeHistory.name}
      load={async (query, signal) => (await call(exchangeHistory, { query, signal })).data}
      columns={columns}
      emptyHint="Transfers from your ICO Wallet will stand here."
      emptyAction={
        <Link href="/dashboard?open=exchange" className={buttonClass('primary', 'sm')}>
          {transferMessages.exchange}
        </Link>
      }
    />
  )
}
