import { useState } from 'react'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line'
import Clock from 'lucide-react/icons/clock'
import Download from 'lucide-react/icons/download'
import { Badge } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card, CardHeader } from '../card.tsx'
import { DataTable } from '../data-table.tsx'
import type { Column } from '../data-table.tsx'
import { DateRange } from '../date-range.tsx'
import { DescriptionList } from '../description-list.tsx'
import { Drawer } from '../drawer.tsx'
import { EmptyArt } from '../art/empty-art.tsx'
import { Money } from '../money.tsx'
import { Notice } from '../notice.tsx'
import { PageHeader } from '../page-header.tsx'
import { StatCard } from '../stat-card.tsx'
import { Tabs } from '../tabs.tsx'
import { EmptyState } from '../empty-state.tsx'

interface Row {
  id: number
  date: string
  plan: string
  stake: string
  apy: string
  token: bigint
  status: 'Paid' | 'Owed' | 'Rejected'
}

const ROWS: Row[] = Array.from({ length: 9 }, (_, i) => ({
  id: i + 1,
  date: `${20 - Math.floor(i / 3)} Nov 2026`,
  plan: i % 3 === 1 ? 'Silver 180D' : 'Gold 365D',
  stake: ['100000', '120000.5', '420000'][i % 3] ?? '0',
  apy: i % 3 === 1 ? '6 %' : '10 %',
  token: [2_739_726_027n, 4_000_000_000n, 11_506_849_315n][i % 3] ?? 0n,
  status: i === 4 ? 'Owed' : i === 7 ? 'Rejected' : 'Paid',
}))
const TONE = { Paid: 'success', Owed: 'warning', Rejected: 'danger' } as const
const COLUMNS: Array<Column<Row>> = [
  { key: 'no', header: 'SL NO', cell: (_, i) => i + 1 },
  { key: 'date', header: 'Date', cell: (row) => <span className="whitespace-nowrap">{row.date}</span> },
  { key: 'plan', header: 'Plan Name', cell: (row) => row.plan },
  { key: 'stake', header: 'Stake Amount', align: 'right', cell: (row) => <Money value={row.stake} /> },
  { key: 'apy', header: 'APY', align: 'right', cell: (row) => row.apy },
  { key: 'token', header: 'Daily Token', align: 'right', cell: (row) => <Money value={row.token} className="font-semi" /> },
  {
    key: 'status',
    header: 'Status',
    cell: (row) => (
      <Badge tone={TONE[row.status]} icon={row.status === 'Owed' ? <Clock aria-hidden="true" /> : undefined}>
        {row.status}
      </Badge>
    ),
  },
]
const WALLETS = [
  ['Deposit Wallet', '2410.55', 'USD', 1],
  ['Native Wallet', '184220.1', 'TIZARA', 2],
  ['My Wallet', '96500', 'TIZARA', 5],
  ['Stake Wallet', '123456789640000.00000001', 'TIZARA', 3],
] as const

/** Figures, lists and receipts. */
export function Data() {
  const [open, setOpen] = useState<Row | null>(() => (location.hash === '#drawer' ? (ROWS[0] ?? null) : null))
  const [page, setPage] = useState(7)
  const [tab, setTab] = useState<'all' | 'open'>('all')
  return (
    <>
      <div>
        <PageHeader
          title="Dashboard"
          subtitle="Welcome back, Amara. Your stakes paid 41.10 TIZARA today."
          actions={
            <>
              <Button variant="primary" icon={<ArrowDownToLine size={16} aria-hidden="true" />}>
                Deposit
              </Button>
              <Button>Bridge</Button>
              <Button>Payment</Button>
              <Button icon={<ArrowUpFromLine size={16} aria-hidden="true" />}>Withdraw</Button>
            </>
          }
        />
        <div className="grid gap-3.5 sm:grid-cols-2 lg:grid-cols-4">
          {WALLETS.map(([label, value, unit, dot], i) => (
            <StatCard
              key={label}
              label={label}
              mark={`var(--c${dot})`}
              value={<Money value={value} unit={unit} tap />}
              sub={i ? <Money value="1473.7608" unit="USD" approx /> : 'Nothing on hold'}
              actions={
                <>
                  <Button size="sm">Transfer</Button>
                  {i > 1 && <Button size="sm">Swap</Button>}
                </>
              }
            />
          ))}
        </div>
        <div className="mt-3.5 grid grid-cols-2 gap-3.5 sm:grid-cols-4">
          <StatCard size="sm" label="My Team" value="1,284" />
          <StatCard size="sm" label="Direct Refer" value="14" />
          <StatCard size="sm" label="Total Deposit" value={<Money value="5300" unit="USD" decimals={0} />} />
          <StatCard size="sm" label="Level Reward" value="" loading sub="x" />
        </div>
      </div>
      <DataTable
        caption="Reward history"
        columns={COLUMNS}
        rows={ROWS}
        rowKey={(row) => row.id}
        page={page}
        limit={25}
        total={412}
        onPage={setPage}
        onRowOpen={setOpen}
        rowLabel={(row) => `Open receipt of ${row.date}, ${row.plan}`}
        selectedKey={open?.id ?? 3}
        toolbar={
          <>
            <DateRange from="2026-11-01" to="2026-11-20" onChange={() => undefined} />
            <span className="flex-1" />
            <Button size="sm" className="min-h-9" icon={<Download size={15} aria-hidden="true" />}>
              Export CSV
            </Button>
          </>
        }
      />
      <div className="grid gap-3.5 lg:grid-cols-2">
        <DataTable
          caption="Nothing"
          columns={COLUMNS.slice(0, 4)}
          rows={[]}
          rowKey={(row) => row.id}
          emptyAction={<Button size="sm">Stake Now</Button>}
        />
        <DataTable
          caption="Loading list"
          columns={COLUMNS.slice(0, 4)}
          rows={undefined}
          rowKey={(row) => row.id}
          skeletonRows={3}
          onRowOpen={setOpen}
        />
        <Card>
          <CardHeader title="What will happen" hint="The price holds for 30 seconds" action={<Badge tone="accent">BEP20</Badge>} />
          <DescriptionList
            boxed
            rows={[
              { label: 'Leaves My Wallet', value: <Money value="12000" unit="TIZARA" /> },
              { label: 'Fee', value: <Money value="0" unit="TIZARA" /> },
              { label: 'Arrives', value: <Money value="12000" unit="TIZARA" />, strong: true, hint: 'at 0.0080 USD per coin' },
            ]}
          />
          <div className="mt-3.5 flex flex-wrap gap-2">
            <Badge tone="success">Paid</Badge>
            <Badge tone="warning">Pending</Badge>
            <Badge tone="danger">Failed</Badge>
            <Badge>Closed</Badge>
            <Badge tone="accent">New</Badge>
            <Badge plain>Special Member</Badge>
          </div>
        </Card>
        <Card>
          <Tabs
            label="Orders"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'all', label: 'All', count: 12 },
              { value: 'open', label: 'Open' },
            ]}
          >
            {tab === 'all' ? (
              <EmptyState
                art={<EmptyArt />}
                title="No orders yet"
                text="What you buy will stand here with its receipt."
                action={<Button variant="primary">Buy Now</Button>}
              />
            ) : (
              'Open orders'
            )}
          </Tabs>
        </Card>
        <Notice tone="danger" title="The transfer was not made" action={<Button size="sm">Try again</Button>}>
          The price changed while you were typing. Nothing left your wallet.
        </Notice>
        <div className="space-y-2">
          <Notice tone="warning">A payment on another network is lost.</Notice>
          <Notice tone="success">Your address was saved.</Notice>
          <Notice>Estimates rest on the current price.</Notice>
        </div>
      </div>
      <Drawer open={open !== null} onClose={() => setOpen(null)} title="Receipt" footer={<Button block>Report a problem</Button>}>
        <Money value="27.39726027" unit="TIZARA" sign="always" className="text-3xl font-strong tracking-num" />
        <p className="mt-1 mb-3 text-sm text-faint">Daily reward · 20 Nov 2026, 00:10 UTC</p>
        <DescriptionList
          rows={[
            { label: 'From', value: 'Reward pool' },
            { label: 'To', value: 'Native Wallet' },
            { label: 'Why', value: 'Gold 365D, 100,000 staked', hint: 'day 112 of 365' },
            { label: 'Balance', value: '184,192.70 → 184,220.10' },
          ]}
        />
      </Drawer>
    </>
  )
}
