import { earningPeople, earningRows, instantKinds } from '@tizara/contract/rewards-earnings'
import { rewardNames } from '@tizara/contract/reward-names'
import type { RewardKind } from '@tizara/contract/rewards'
import type { Asset } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../lib/http/api.ts'
import { formatMonth } from '../lib/format.ts'
import { Moment } from '../lib/moment.tsx'
import { retryOf } from '../lib/http/query.ts'
import { ReceiptDrawer } from '../lib/receipts/receipt-drawer.tsx'
import type { ReceiptRef } from '../lib/receipts/receipt-link.ts'
import { useCursorPages } from '../lib/lists/use-cursor-pages.ts'
import { useAppConfig } from '../settings/index.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import type { MonthSum } from './earnings.queries.ts'
import { T } from '../ui/t.tsx'

type InstantKind = (typeof instantKinds)[number]
const isInstant = (kind: RewardKind): kind is InstantKind => instantKinds.some((one) => one === kind)

/** Pages that list the rewards of reward runs. They filter by day. */
const LISTS: Readonly<Record<Exclude<RewardKind, InstantKind>, string>> = {
  daily: '/roi-history',
  'profit-bounty': '/profit-bounty-history',
  'stake-log': '/stake-logs-roi',
  'stake-log-bounty': '/logs-profit-bounty-history',
  'nft-monthly': '/store-nft/nft-roi',
  'nft-profit-bounty': '/store-nft/nft-roi-profit-bounty',
}

/** Returns the URL of a list, filtered to the days of a month. */
function listOfMonth(path: string, month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  return `${path}?from=${month}-01&to=${last}`
}

const ROW = 'flex min-h-11 w-full items-center justify-between gap-4 px-4 py-2.5 text-start transition-colors hover:bg-raised sm:px-5'

/** A month's earnings by kind and by person, with the receipts behind them. */
export function EarningsMonth({ month, sums }: { month: string; sums: readonly MonthSum[] }) {
  const [kind, setKind] = useState<InstantKind>()
  const [opened, setOpened] = useState<ReceiptRef>()
  return (
    <div className="min-w-0 space-y-4">
      <Card padding="none" aria-labelledby="kinds" className="overflow-hidden">
        <div className="px-4 pt-4 sm:px-5 sm:pt-5">
          <CardHeader
            id="kinds"
            title={t('{month} by kind', { month: formatMonth(month) })}
            hint={t('Press one for its receipts')}
            className="mb-2"
          />
        </div>
        <ul className="divide-y border-t">
          {sums.map((sum) => (
            <li key={sum.kind}>
              {isInstant(sum.kind) ? (
                <KindButton sum={sum} kind={sum.kind} isOpen={kind === sum.kind} onPress={setKind} />
              ) : (
                <Link href={listOfMonth(LISTS[sum.kind], month)} className={ROW}>
                  <KindLine sum={sum} />
                </Link>
              )}
              {kind !== undefined && kind === sum.kind && <Receipts month={month} kind={kind} onOpen={setOpened} />}
            </li>
          ))}
        </ul>
      </Card>
      <People month={month} />
      <ReceiptDrawer open={opened !== undefined} onClose={() => setOpened(undefined)} subject={t('Earnings')} receipt={opened} />
    </div>
  )
}

interface KindButtonProps {
  sum: MonthSum
  kind: InstantKind
  isOpen: boolean
  onPress: (kind: InstantKind | undefined) => void
}

function KindButton({ sum, kind, isOpen, onPress }: KindButtonProps) {
  return (
    <button type="button" aria-expanded={isOpen} className={ROW} onClick={() => onPress(isOpen ? undefined : kind)}>
      <KindLine sum={sum} />
    </button>
  )
}

function KindLine({ sum }: { sum: MonthSum }) {
  return (
    <>
      <span className="min-w-0">{t(rewardNames[sum.kind])}</span>
      <Amount asset={sum.asset} amount={sum.amount} className="font-semi" />
    </>
  )
}

function Amount({ asset, amount, className }: { asset: Asset; amount: Units; className?: string }) {
  const { tokenSymbol } = useAppConfig()
  return <Money value={amount} unit={asset === 'usd' ? 'USD' : tokenSymbol} className={`shrink-0 text-end ${className ?? ''}`} />
}

interface ReceiptsProps {
  month: string
  kind: InstantKind
  onOpen: (receipt: ReceiptRef) => void
}

/** Lists the paid rewards of a kind, each with its receipt. */
function Receipts({ month, kind, onOpen }: ReceiptsProps) {
  const read = useCursorPages(
    earningRows.name,
    { month, kind },
    async (cursor, signal) => (await call(earningRows, { query: { month, kind, ...cursor }, signal })).data,
  )
  const { data, isPlaceholderData, more } = read
  if (data === undefined)
    return <div className="border-t px-5 py-3">{read.error === null ? <SkeletonText lines={3} /> : <Failed onRetry={retryOf(read)} />}</div>
  return (
    <div className="border-t bg-raised">
      <ul aria-label={t('{rewardNames} of {month}', { rewardNames: t(rewardNames[kind]), month: formatMonth(month) })}>
        {data.rows.map((row) => (
          <li key={row.id}>
            <button type="button" className={ROW} onClick={() => onOpen(row.receipt)}>
              <span className="min-w-0">
                <span className="block text-sm wrap-anywhere">{row.from ?? t(rewardNames[kind])}</span>
                <Moment at={row.paidAt} time className="block text-sm text-muted" />
              </span>
              <Amount asset={row.asset} amount={row.amount} />
            </button>
          </li>
        ))}
      </ul>
      {data.next !== undefined && <More pending={isPlaceholderData} onMore={more} label={t('Show older rewards')} />}
    </div>
  )
}

const Failed = ({ onRetry }: { onRetry: (() => void) | undefined }) => <EmptyState title={t('Data Not Found')} onRetry={onRetry} />

const More = ({ pending, onMore, label }: { pending: boolean; onMore: () => void; label: string }) => (
  <div className="flex justify-center border-t p-3">
    <Button pending={pending} onClick={onMore}>
      {label}
    </Button>
  </div>
)

/** Lists the people of the team with the rewards from each. */
function People({ month }: { month: string }) {
  const read = useCursorPages(
    earningPeople.name,
    { month },
    async ({ before }, signal) =>
      (await call(earningPeople, { query: { month, ...(before === undefined ? {} : { after: before }) }, signal })).data,
  )
  const { data, isPlaceholderData, more } = read
  return (
    <Card padding="none" aria-labelledby="people" className="overflow-hidden">
      <div className="px-4 pt-4 sm:px-5 sm:pt-5">
        <CardHeader
          id="people"
          title={t('{month} by person', { month: formatMonth(month) })}
          hint={
            data?.direct === true ? t('Your direct referrals, because your team is large') : t('Your team of five levels, nearest first')
          }
          className="mb-2"
        />
      </div>
      {data === undefined ? (
        <div className="border-t p-5">{read.error === null ? <SkeletonText lines={4} /> : <Failed onRetry={retryOf(read)} />}</div>
      ) : data.rows.length === 0 ? (
        <EmptyState
          title={t('No people in your team yet.')}
          text={t('Share your referral link: you earn from the people who join with it.')}
        />
      ) : (
        <ul className="divide-y border-t">
          {data.rows.map((row) => (
            <li key={row.id} className="flex min-h-11 items-center justify-between gap-4 px-4 py-2.5 sm:px-5">
              <span className="min-w-0">
                <span className="block truncate font-semi">{row.name}</span>
                <span className="block text-sm wrap-anywhere text-muted">
                  <T text="Level {level}, {email}" level={row.level} email={row.email} />
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end">
                {row.sums === null && <span className="text-sm text-muted">{t('More than 2,000 rewards')}</span>}
                {row.sums?.length === 0 && <span className="text-sm text-muted">{t('Nothing this month')}</span>}
                {row.sums?.map((sum) => (
                  <Amount key={sum.asset} asset={sum.asset} amount={sum.amount} />
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.next !== undefined && <More pending={isPlaceholderData} onMore={more} label={t('Show more people')} />}
    </Card>
  )
}
