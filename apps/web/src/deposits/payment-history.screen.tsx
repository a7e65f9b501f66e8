import { myDeposits, type paymentRow } from '@tizara/contract/deposits'
import { t } from '@tizara/languages'
import { lazy, Suspense, useMemo, useState } from 'react'
import type * as v from 'valibot'
import { call } from '../lib/http/api.ts'
import { type ListColumn, type LoadPage, PagedList } from '../lib/lists/paged-list.tsx'
import { queryClient } from '../lib/http/query.ts'
import { StatusBadge } from '../lib/status-badge.tsx'
import { profileQuery } from '../members/index.ts'
import { useAppConfig } from '../settings/index.ts'
import { Button } from '../ui/button.tsx'
import { Money } from '../ui/money.tsx'
import { depositMessages } from './deposits.messages.ts'
import { depositDialogs } from './index.ts'

/** Loaded with the first opened receipt. */
const ReturnPayment = lazy(() => import('./return-payment.tsx'))

type Row = v.InferOutput<typeof paymentRow>

const states = new Map<string, 'pending' | 'success' | 'rejected'>([
  ['PENDING', 'pending'],
  ['APPROVE', 'success'],
  ['REJECT', 'rejected'],
])

/** Returns the columns; the type is the token's symbol for token deposits (LS-31, LS-33, LS-34). */
const columnsFor = (symbol: string): readonly ListColumn<Row>[] => [
  { key: 'no', header: t('SL NO'), value: (_, index) => index + 1 },
  { key: 'createdAt', header: t('Date'), phone: 'second', value: (row) => row.createdAt },
  { key: 'name', header: t('Name'), value: (row) => row.user?.name },
  { key: 'orderId', header: t('Order ID'), className: 'break-all', value: (row) => row.orderId },
  {
    key: 'priceAmount',
    header: t('Amount'),
    phone: 'amount',
    align: 'right',
    value: (row) => row.priceAmount,
    cell: (row) => <Money value={row.priceAmount} unit={row.desc === symbol ? symbol : 'USD'} decimals={2} />,
  },
  {
    key: 'payAmountNum',
    header: t('Paid'),
    align: 'right',
    value: (row) => row.payAmountNum,
    cell: (row) => <Money value={row.payAmountNum} unit={row.desc === symbol ? symbol : depositMessages.usdt} decimals={2} />,
  },
  { key: 'type', header: t('Type'), phone: 'title', value: (row) => (row.desc === symbol ? symbol : depositMessages.usdt) },
  {
    key: 'status',
    header: t('Status'),
    phone: 'state',
    value: (row) => row.status,
    cell: ({ status }) => (status ? <StatusBadge state={states.get(status) ?? 'pending'}>{status}</StatusBadge> : ''),
  },
]

/** The call names the member (API-74); the server allows only the caller. */
const load: LoadPage<Row> = async (query, signal) => {
  const member = await queryClient.ensureQueryData(profileQuery).catch(() => undefined)
  return (await call(myDeposits, { query: { ...query, userId: member?.id }, signal })).data
}

/** `/deposit-wallet-history` (LS-31 to LS-34). */
export default function PaymentHistoryScreen() {
  const { tokenSymbol } = useAppConfig()
  const columns = useMemo(() => columnsFor(tokenSymbol), [tokenSymbol])
  const [open, setOpen] = useState(false)
  const button = (
    <Button variant="primary" onClick={() => setOpen(true)}>
      {depositMessages.deposit}
    </Button>
  )
  return (
    <>
      <PagedList
        title={depositMessages.history}
        subtitle={t('Your deposits and their status.')}
        actions={button}
        list={myDeposits}
        load={load}
        columns={columns}
        receiptHead={({ id }) =>
          id !== undefined && (
            <Suspense fallback={null}>
              <ReturnPayment deposit={id} />
            </Suspense>
          )
        }
        emptyHint={t('No deposits yet.')}
      />
      {open && (
        <Suspense fallback={null}>
          <depositDialogs.deposit.Dialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
