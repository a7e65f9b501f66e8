import { MAX_ROWS } from '@tizara/contract'
import { MOVEMENT_DAYS, type MovementGroup, movementGroups, type MovementRow, movements } from '@tizara/contract/wallets-movements'
import { walletKeys } from '@tizara/contract/wallets'
import { isRightToLeft, t, texts } from '@tizara/languages'
import { type FormEvent, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../lib/http/api.ts'
import { formatClock, formatDate, formatUtc, utcDay } from '../lib/format.ts'
import { ExportButton } from '../lib/lists/export-button.tsx'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { retryOf } from '../lib/http/query.ts'
import { usePartyNames } from '../lib/receipts/party-names.ts'
import { ReceiptDrawer } from '../lib/receipts/receipt-drawer.tsx'
import { useCursorPages } from '../lib/lists/use-cursor-pages.ts'
import { useAppConfig } from '../settings/index.ts'
import { Button } from '../ui/button.tsx'
import { DateRange, dayBefore } from '../ui/date-range.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { SkeletonText } from '../ui/skeleton.tsx'
import { EarlierMovements } from './earlier-movements.tsx'
import { walletNames, walletOrder } from './wallet-names.ts'

const GROUPS: Readonly<Record<MovementGroup, string>> = texts({
  deposit: 'Deposits',
  withdrawal: 'Withdrawals and bridge',
  coin: 'Coin bought and sold',
  stake: 'Stakes',
  nft: 'NFTs',
  transfer: 'Transfers',
  reward: 'Rewards',
  correction: 'Corrections',
})
const FILTERS = ['group', 'wallet', 'from', 'to', 'reference'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Keeps the filters in the URL. Values of no filter are dropped. */
function useFilters(): [Filters, (changes: Partial<Filters>) => void] {
  const params = new URLSearchParams(useSearch())
  const valueOf = (name: string, pattern: RegExp) => (pattern.test(params.get(name) ?? '') ? (params.get(name) ?? '') : '')
  const oneOf = (name: string, values: readonly string[]) => values.find((value) => value === params.get(name)) ?? ''
  const filters = {
    group: oneOf('group', movementGroups),
    wallet: oneOf('wallet', walletKeys),
    from: valueOf('from', /^\d{4}-\d{2}-\d{2}$/),
    to: valueOf('to', /^\d{4}-\d{2}-\d{2}$/),
    reference: valueOf('reference', /^[A-Za-z0-9_-]{1,80}$/),
  }
  const set = (changes: Partial<Filters>): void => {
    const next = new URLSearchParams(Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== ''))
    navigate(`${location.pathname}${next.size === 0 ? '' : `?${next.toString()}`}`, { replace: true })
  }
  return [filters, set]
}

const queryOf = (filters: Filters) => Object.fromEntries(FILTERS.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])))

/** Columns of the CSV file. */
const columnsFor = (tokenSymbol: string): readonly ListColumn<MovementRow>[] => [
  { key: 'at', header: t('Time (UTC)'), value: (row) => row.createdAt },
  { key: 'title', header: t('Movement'), value: (row) => row.title },
  { key: 'kind', header: t('Kind'), value: (row) => GROUPS[row.group] },
  { key: 'from', header: t('From'), value: (row) => (row.direction === 'in' ? row.other.label : walletNames[row.wallet]) },
  { key: 'to', header: t('To'), value: (row) => (row.direction === 'in' ? walletNames[row.wallet] : row.other.label) },
  { key: 'amount', header: t('Amount'), value: (row) => (row.direction === 'out' ? -row.amount : row.amount) },
  { key: 'unit', header: t('Unit'), value: (row) => (row.asset === 'usd' ? 'USD' : tokenSymbol) },
  { key: 'reference', header: t('Reference'), value: (row) => row.id },
]

/** Loads all movements of the filters, 1,000 per request. */
async function loadAll(
  filters: Filters,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<MovementRow[]> {
  const rows: MovementRow[] = []
  let before: string | undefined
  do {
    const query = { ...queryOf(filters), ...(before === undefined ? {} : { before }), limit: MAX_ROWS }
    const { data } = await call(movements, { query, signal })
    rows.push(...data.rows)
    onProgress(rows.length)
    before = data.next
  } while (before !== undefined)
  return rows
}

function useMovements(filters: Filters) {
  const query = queryOf(filters)
  return useCursorPages(
    movements.name,
    query,
    async (before, signal) => (await call(movements, { query: { ...query, ...before }, signal })).data,
  )
}

/** `/activity`: all movements of all wallets, with filters and the sums of the period. */
export default function ActivityScreen() {
  const [filters, setFilters] = useFilters()
  const read = useMovements(filters)
  const { data, isPlaceholderData, more } = read
  const [opened, setOpened] = useState<MovementRow>()
  const { tokenSymbol } = useAppConfig()
  const failed = read.error !== null && data === undefined
  return (
    <>
      <PageHeader
        title={t('Activity')}
        subtitle={t('Every movement in your wallets. Press one for its receipt.')}
        actions={
          <ExportButton
            title={t('Activity')}
            columns={columnsFor(tokenSymbol)}
            loadAll={(options) => loadAll(filters, options)}
            disabled={data === undefined || (data.rows.length === 0 && data.next === undefined)}
          />
        }
      />
      <Toolbar filters={filters} shown={data} onChange={setFilters} />
      <Sums
        sums={filters.reference === '' ? data?.sums : undefined}
        searching={filters.reference !== ''}
        loading={data === undefined && !failed}
      />
      <section aria-label={t('Movements')} aria-busy={data === undefined && !failed} className="min-w-0 rounded-xl border bg-surface">
        {data === undefined && !failed ? (
          <div className="p-4">
            <SkeletonText lines={8} />
          </div>
        ) : (
          <Days rows={data?.rows ?? []} onOpen={setOpened} />
        )}
        {(failed || data?.rows.length === 0) && (
          <EmptyState
            title={t('Data Not Found')}
            text={failed ? undefined : emptyText(filters, data?.next !== undefined)}
            onRetry={retryOf(read)}
          />
        )}
        {data?.next !== undefined && (
          <div className="flex justify-center border-t p-3">
            <Button pending={isPlaceholderData} onClick={more}>
              {t('Show older movements')}
            </Button>
          </div>
        )}
      </section>
      <EarlierMovements />
      <ReceiptDrawer open={opened !== undefined} onClose={() => setOpened(undefined)} subject={t('Activity')} receipt={opened?.receipt} />
    </>
  )
}

function emptyText({ reference }: Filters, hasMore: boolean): string {
  if (reference !== '') return t('No movement of yours has this reference, transaction hash or address. Copy it from a receipt.')
  if (hasMore) return t('Nothing of this kind among the newest movements. Older ones may match.')
  return t('No movements in this period. Choose other days or another filter to see more.')
}

interface ToolbarProps {
  filters: Filters
  /** The period shown, for the date fields. */
  shown: { from: string; to: string } | undefined
  onChange: (changes: Partial<Filters>) => void
}

function Toolbar({ filters, shown, onChange }: ToolbarProps) {
  const [today] = useState(() => utcDay(new Date()))
  const chosen = filters.from !== '' || filters.to !== ''
  const period = chosen ? filters : (shown ?? { from: dayBefore(today, MOVEMENT_DAYS - 1), to: today })
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 *:nth-[n+3]:max-sm:col-span-2 lg:grid-cols-[1fr_1fr_auto_1.3fr]">
      <Field label={t('Kind')}>
        <Select
          value={filters.group}
          onChange={(event) => onChange({ group: event.target.value, reference: '' })}
          options={[{ value: '', label: t('All kinds') }, ...movementGroups.map((value) => ({ value, label: GROUPS[value] }))]}
        />
      </Field>
      <Field label={t('Wallet')}>
        <Select
          value={filters.wallet}
          onChange={(event) => onChange({ wallet: event.target.value, reference: '' })}
          options={[{ value: '', label: t('All wallets') }, ...walletOrder.map((value) => ({ value, label: walletNames[value] }))]}
        />
      </Field>
      <DateRange from={period.from} to={period.to} max={today} isBounded onChange={(range) => onChange({ ...range, reference: '' })} />
      <Search key={filters.reference} value={filters.reference} onSearch={(reference) => onChange({ reference })} />
    </div>
  )
}

function Search({ value, onSearch }: { value: string; onSearch: (reference: string) => void }) {
  const [typed, setTyped] = useState(value)
  function search(event: FormEvent): void {
    event.preventDefault()
    onSearch(typed.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 80))
  }
  return (
    <form role="search" onSubmit={search} className="flex items-end gap-2">
      <Field label={t('Reference, hash or address')} className="min-w-0 flex-1">
        <Input type="search" value={typed} placeholder={t('From a receipt')} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <Button type="submit">{t('Find')}</Button>
      {value !== '' && <Button onClick={() => onSearch('')}>{t('Clear')}</Button>}
    </form>
  )
}

interface SumsProps {
  sums: readonly { asset: 'usd' | 'coin'; in: bigint; out: bigint }[] | null | undefined
  searching: boolean
  loading: boolean
}

/** Shows what came in and went out in the period, for each unit. */
function Sums({ sums, searching, loading }: SumsProps) {
  const { tokenSymbol } = useAppConfig()
  if (searching) return null
  if (sums === null)
    return (
      <p className="mb-4 text-sm text-muted">{t('This period has more than 10,000 movements. Choose a shorter one to see its sums.')}</p>
    )
  if (sums === undefined && !loading) return null
  return (
    <section aria-label={t('Sums of the period')} className="mb-4 grid grid-cols-2 gap-3">
      {(
        sums ?? [
          { asset: 'usd' as const, in: 0n, out: 0n },
          { asset: 'coin' as const, in: 0n, out: 0n },
        ]
      ).map((sum) => {
        const unit = sum.asset === 'usd' ? 'USD' : tokenSymbol
        return (
          <dl key={sum.asset} className="grid gap-3 rounded-xl border bg-surface px-4 py-3 sm:grid-cols-2">
            {(['in', 'out'] as const).map((side) => (
              <div key={side} className="min-w-0">
                <dt className="text-sm text-muted">{side === 'in' ? t('{unit} in', { unit }) : t('{unit} out', { unit })}</dt>
                <dd className="mt-0.5 text-lg font-strong tracking-num">{loading ? '–' : <Money value={sum[side]} />}</dd>
              </div>
            ))}
          </dl>
        )
      })}
    </section>
  )
}

/** Lists the movements by local day. */
function Days({ rows, onOpen }: { rows: readonly MovementRow[]; onOpen: (row: MovementRow) => void }) {
  const nameOf = usePartyNames(rows.map((row) => row.other))
  const days = Map.groupBy(rows, (row) => formatDate(row.createdAt))
  return [...days].map(([day, ofDay]) => (
    <div key={day} className="group">
      <h2 className="border-b bg-raised px-4 py-2 text-xs font-semi text-faint group-first:rounded-t-xl">{day}</h2>
      <ul>
        {ofDay.map((row) => (
          <li key={row.id} className="border-b last:border-0">
            <Movement row={row} name={nameOf(row.other)} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** @param name the name that the member gave to the other party, if any */
function partiesOf({ direction, wallet, other }: MovementRow, name: string | undefined): string {
  const own = walletNames[wallet]
  const party = name === undefined ? t(other.label) : `${name} (${other.label})`
  const arrow = isRightToLeft() ? '←' : '→'
  return direction === 'in' ? `${party} ${arrow} ${own}` : `${own} ${arrow} ${party}`
}

function Movement({ row, name, onOpen }: { row: MovementRow; name: string | undefined; onOpen: (row: MovementRow) => void }) {
  const { tokenSymbol } = useAppConfig()
  const { direction, amount, asset } = row
  return (
    <button
      type="button"
      onClick={() => onOpen(row)}
      className="flex w-full items-center gap-4 px-4 py-3 text-start transition-colors hover:bg-raised"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-semi">{t(row.title)}</span>
        <span className="block text-sm wrap-anywhere text-muted">{partiesOf(row, name)}</span>
      </span>
      <span className="shrink-0 text-end">
        <Money
          value={direction === 'out' ? -amount : amount}
          unit={asset === 'usd' ? 'USD' : tokenSymbol}
          sign={direction === 'in' ? 'always' : 'auto'}
          className="font-semi"
        />
        <time dateTime={row.createdAt.toISOString()} title={formatUtc(row.createdAt)} className="block text-sm text-faint">
          {formatClock(row.createdAt)}
        </time>
      </span>
    </button>
  )
}
