import { bridgeNetworks } from '@tizara/contract'
import { bridgeHistory, type bridgeRow } from '@tizara/contract/withdrawals'
import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { useMemo, useState } from 'react'
import type * as v from 'valibot'
import { type ListColumn, PagedList } from '../lib/lists/paged-list.tsx'
import { useAppConfig } from '../settings/index.ts'
import { Address } from '../ui/address.tsx'
import { payoutDetails } from './payout-details.tsx'
import { bridgeProgress } from './payout-steps.rules.ts'
import { PayoutSteps } from './payout-steps.tsx'
import { WaitingDialog, WaitingMark } from './waiting-mark.tsx'
import { BridgeBadge, bridgeStatus } from './withdrawal-status.tsx'
import { withdrawalMessages } from './withdrawals.messages.ts'

type Row = v.InferOutput<typeof bridgeRow>

/** Shows the first and last 6 characters; 12 or fewer in full (LS-29, LS-30, CO-42). */
export const shortenAddress = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 6)}...${address.slice(-6)}`

const columnsFor = (open: (row: Row) => void): readonly ListColumn<Row>[] => [
  { key: 'no', header: t('SL NO'), value: (_, index) => index + 1 },
  { key: 'createdAt', header: t('Date'), phone: 'second', value: (row) => row.createdAt },
  {
    key: 'to',
    header: t('To'),
    phone: 'title',
    value: (row) => row.to,
    cell: ({ to }) => (
      <span title={to} className="font-mono text-[0.93em] whitespace-nowrap">
        {shortenAddress(to)}
      </span>
    ),
  },
  { key: 'amount', header: t('Amount'), phone: 'amount', align: 'right', asset: 'coin', value: (row) => row.amount },
  { key: 'desc', header: t('Txn Fee'), align: 'right', value: (row) => row.desc },
  {
    key: 'status',
    header: t('Status'),
    phone: 'state',
    value: (row) => bridgeStatus(row.status),
    cell: (row) => (
      <>
        <BridgeBadge status={row.status} />
        {row.waitsUntil !== undefined && <WaitingMark kind="bridge" until={row.waitsUntil} onOpen={() => open(row)} />}
      </>
    ),
  },
]

const networkName = (value: number | undefined): string | undefined =>
  Object.entries(bridgeNetworks).find(([, network]) => network === value)?.[0]

/** `/history/withdraw-history` (LS-29). */
export default function BridgeHistoryScreen() {
  const { tokenSymbol } = useAppConfig()
  const [waiting, setWaiting] = useState<Row>()
  const columns = useMemo(() => columnsFor(setWaiting), [])
  return (
    <>
      <PagedList
        title={withdrawalMessages.bridgeHistory}
        subtitle={t('Coin you sent to an address outside.')}
        list={bridgeHistory}
        columns={columns}
        details={(row) => [
          { label: t('Whole address'), value: <Address value={row.to} />, stacked: true },
          ...(row.network === undefined ? [] : [{ label: t('Network'), value: networkName(row.network) ?? String(row.network) }]),
          ...payoutDetails(row),
        ]}
        receiptHead={(row, close) => (
          <PayoutSteps
            kind="bridge"
            progress={bridgeProgress(row)}
            onConfirm={() => {
              close()
              setWaiting(row)
            }}
          />
        )}
        emptyHint={t('No bridges yet.')}
        emptyAction={{ href: '/dashboard?open=bridge', label: t('Bridge') }}
      />
      {waiting?.id !== undefined && waiting.waitsUntil !== undefined && (
        <WaitingDialog
          payout={{
            id: waiting.id,
            address: waiting.to,
            amount: `${formatUnits(waiting.amount)} ${tokenSymbol}`,
            until: waiting.waitsUntil,
          }}
          list={bridgeHistory}
          onClose={() => setWaiting(undefined)}
        />
      )}
    </>
  )
}
