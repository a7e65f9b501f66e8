import { DEFAULT_PLATFORM_FEE_PERCENT } from '@tizara/contract'
import { withdrawalHistory, type withdrawalRow } from '@tizara/contract/withdrawals'
import { t } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import { useMemo, useState } from 'react'
import type * as v from 'valibot'
import { type ListColumn, PagedList } from '../lib/lists/paged-list.tsx'
import { Address } from '../ui/address.tsx'
import { Money } from '../ui/money.tsx'
import type { Precision } from '../ui/money-format.ts'
import { useGeneralSettings } from '../wallets/index.ts'
import { payoutDetails } from './payout-details.tsx'
import { withdrawalProgress } from './payout-steps.rules.ts'
import { PayoutSteps } from './payout-steps.tsx'
import { WaitingDialog, WaitingMark } from './waiting-mark.tsx'
import { StoredBadge } from './withdrawal-status.tsx'
import { withdrawalMessages } from './withdrawals.messages.ts'
import { T } from '../ui/t.tsx'

type Row = v.InferOutput<typeof withdrawalRow>

/** Returns the columns; the fee header shows the platform fee, 5 % by default (LS-35, LS-37). */
const columnsFor = (percent: Units, open: (row: Row) => void): readonly ListColumn<Row>[] => [
  { key: 'no', header: t('SL NO'), value: (_, index) => index + 1 },
  { key: 'createdAt', header: t('Date'), phone: 'title', value: (row) => row.createdAt },
  { key: 'email', header: t('Email'), className: 'break-all', value: (row) => row.user.email },
  { key: 'amount', header: t('Amount'), phone: 'amount', align: 'right', asset: 'usd', value: (row) => row.amount },
  {
    key: 'fee',
    header: t('Fee {percent} %', { percent: formatUnits(percent) }),
    align: 'right',
    asset: 'usd',
    value: (row) => row.fee,
    cell: (row, _, precision) => <Fees row={row} precision={precision} />,
  },
  { key: 'recived', header: t('Recived'), phone: 'second', align: 'right', asset: 'usd', value: (row) => row.recived },
  {
    key: 'status',
    header: t('Status'),
    phone: 'state',
    value: (row) => row.status,
    cell: (row) => (
      <>
        <StoredBadge status={row.status} />
        {row.waitsUntil !== undefined && <WaitingMark kind="withdrawal" until={row.waitsUntil} onOpen={() => open(row)} />}
      </>
    ),
  },
]

/** Shows platform and network fees; amount - both = received. */
function Fees({ row, precision }: { row: Row; precision: Precision }) {
  return (
    <>
      <Money value={row.fee} unit="USD" decimals={precision} />
      {row.networkFee !== undefined && row.networkFee > 0n && (
        <span className="block text-xs whitespace-nowrap text-muted">
          <T text="+ {money} network fee" money={<Money value={row.networkFee} unit="USD" decimals={precision} />} />
        </span>
      )}
    </>
  )
}

/** `/history/usd-transfer-history` (LS-35). */
export default function WithdrawalHistoryScreen() {
  const percent = useGeneralSettings().data?.platformFeePercent ?? DEFAULT_PLATFORM_FEE_PERCENT
  const [waiting, setWaiting] = useState<Row>()
  const columns = useMemo(() => columnsFor(percent, setWaiting), [percent])
  return (
    <>
      <PagedList
        title={withdrawalMessages.withdrawalHistory}
        subtitle={t('USD paid out of your Deposit Wallet.')}
        list={withdrawalHistory}
        columns={columns}
        details={(row) => [
          ...(row.networkFee === undefined ? [] : [{ label: t('Network fee'), value: `${formatUnits(row.networkFee)} USD` }]),
          ...(row.address === undefined ? [] : [{ label: t('To'), value: <Address value={row.address} />, stacked: true }]),
          ...payoutDetails(row),
        ]}
        receiptHead={(row, close) => (
          <PayoutSteps
            kind="withdrawal"
            progress={withdrawalProgress(row)}
            onConfirm={() => {
              close()
              setWaiting(row)
            }}
          />
        )}
        emptyHint={t('No withdrawals yet.')}
        emptyAction={{ href: '/dashboard?open=withdraw', label: t('Withdraw') }}
      />
      {waiting?.id !== undefined && waiting.waitsUntil !== undefined && (
        <WaitingDialog
          payout={{
            id: waiting.id,
            address: waiting.address ?? '',
            amount: `${formatUnits(waiting.amount)} USD`,
            until: waiting.waitsUntil,
          }}
          list={withdrawalHistory}
          onClose={() => setWaiting(undefined)}
        />
      )}
    </>
  )
}
