import { exchangeHistory, type exchangeRow } from '@tizara/contract/transfers'
import { t, texts } from '@tizara/languages'
import type * as v from 'valibot'
import { type ListColumn, PagedList } from '../lib/lists/paged-list.tsx'
import { transferMessages } from './transfers.messages.ts'

type Row = v.InferOutput<typeof exchangeRow>

const columns = texts<readonly ListColumn<Row>[]>('header', [
  { key: 'createdAt', header: 'Date', phone: 'title', value: (row) => row.createdAt },
  { key: 'email', header: 'Email', className: 'break-all', value: (row) => row.user.email },
  { key: 'amount', header: 'Amount', phone: 'amount', align: 'right', asset: 'coin', value: (row) => row.amount },
])

/** `/history/transfer-history` (LS-16). */
export default function ExchangeHistoryScreen() {
  return (
    <PagedList
      title={transferMessages.history}
      subtitle={t('Coin you moved from your ICO Wallet to My Wallet.')}
      list={exchangeHistory}
      columns={columns}
      emptyHint={t('No transfers from your ICO Wallet yet.')}
      emptyAction={{ href: '/dashboard?open=exchange', label: transferMessages.exchange }}
    />
  )
}
