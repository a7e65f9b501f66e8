import type { ReplyOf } from '@tizara/contract'
import { staffLedgerAccount, staffLedgerEntries } from '@tizara/contract/staff-ledger'
import { useQuery } from '@tanstack/react-query'
import { Money } from '../../../ui/money.tsx'
import { Amount, useUnit } from '../../kit/amount.tsx'
import { ExportList } from '../../kit/export-list.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePageLocation } from '../../kit/page-location.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { watch } from '../../kit/watch.ts'
import { brief } from '../../kit/when.ts'
import { type Entry, sumsOf } from './entry-folds.ts'
import { EntryRows } from './entry-rows.tsx'
import { BackButton, Pane, PaneBar, PaneFoot } from '../../../ui/split.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { chipClass } from '../../../ui/chip.ts'

export interface AccountEntriesProps {
  number: string
  current: string | undefined
  onOpen: (id: string) => void
  onBack: () => void
}

/** Shows the inflow and outflow of the last 30 days. The tooltip gives the UTC days. */
function Month({ of }: { of: NonNullable<ReplyOf<typeof staffLedgerAccount>['month']> }) {
  const days = `UTC days from ${brief(new Date(of.from))} to ${of.to === undefined ? 'now' : brief(new Date(of.to))}`
  return (['in', 'out'] as const).map((way) => (
    <div key={way} title={days}>
      <div className="text-xs text-muted">{way === 'in' ? 'In, 30 days' : 'Out, 30 days'}</div>
      <Money value={of[way]} className="font-semi figure" />
    </div>
  ))
}

/** Shows the row count and totals of the loaded rows. */
function Foot({ rows, hasMore }: { rows: readonly Entry[]; hasMore: boolean }) {
  const sums = sumsOf(rows)
  return (
    <span className="text-xs text-muted min-w-0 flex-1">
      {hasMore ? `The newest ${rows.length}` : rows.length === 1 ? '1 entry' : `All ${rows.length}`}: in{' '}
      <Money value={sums.in} className="font-semi" />, out <Money value={sums.out} className="font-semi" />
    </span>
  )
}

/** Lists an account's entries. The server filters by kind and day; the address holds both. */
export function AccountEntries({ number, current, onOpen, onBack }: AccountEntriesProps) {
  const { search, filtered, filter } = usePageLocation(`/staff/ledger/${number}`)
  const [kind, day] = [search.get('kind') ?? undefined, search.get('day') ?? undefined]
  const query = { ...(kind === undefined ? {} : { kind }), ...(day === undefined ? {} : { from: day, to: day }) }
  const account = useQuery(watch(staffLedgerAccount, { params: { number } }))
  const pages = usePages(staffLedgerEntries, { params: { number }, query }, 50)
  const at = pages.rows.findIndex((row) => row.id === current)
  const step = (by: number) => {
    const next = pages.rows[Math.max(0, Math.min(pages.rows.length - 1, at + by))]
    if (next !== undefined) onOpen(next.id)
  }
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1) })
  const unit = useUnit()
  const { data } = account
  return (
    <Pane aria-label="Entries">
      <PaneBar>
        <BackButton label="Back to the accounts" onClick={onBack} />
        <h2 className={data?.member === undefined ? 'font-mono text-sm font-semi' : 'text-sm font-semi'}>{data?.name ?? number}</h2>
        {data !== undefined && <Tag>{unit(data.asset)}</Tag>}
        <span className="text-muted text-xs truncate" title={plain(data?.hint ?? '')}>
          {plain(data?.hint ?? '')}
        </span>
        <span className="ml-auto" />
        <select
          className={chipClass()}
          aria-label="Kind"
          value={kind ?? ''}
          onChange={(event) => filter({ kind: event.target.value || undefined })}
        >
          <option value="">All kinds</option>
          {data?.kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.text}
            </option>
          ))}
        </select>
        <input
          type="date"
          className={chipClass()}
          aria-label="Day, UTC"
          value={day ?? ''}
          onChange={(event) => filter({ day: event.target.value || undefined })}
        />
        <ExportList appearance="ib" list="entries" filter={{ ...query, account: number }} />
      </PaneBar>
      <div className="min-h-0 flex-1 md:overflow-auto">
        {data !== undefined && (
          <div className="flex min-w-0 items-center px-4 pt-3.5 pb-2 gap-7">
            <div>
              <div className="text-xs text-muted">Balance</div>
              <div className="text-xl font-strong tracking-num whitespace-nowrap">
                <Amount asset={data.asset} value={data.balance} />
              </div>
            </div>
            {data.month !== undefined && <Month of={data.month} />}
            {data.shards.length > 1 && (
              <details className="text-xs text-muted">
                <summary>{data.shards.length} shards</summary>
                {data.shards.map((shard) => (
                  <div key={shard.number} className="flex min-w-0 items-center gap-2 justify-between">
                    <span className="font-mono text-xs">{shard.number}</span> <Money value={shard.balance} />
                  </div>
                ))}
              </details>
            )}
          </div>
        )}
        <ListState
          query={account.error === null ? pages : account}
          rows={pages.rows.length}
          none="No entries on this account yet"
          filtered={
            kind === undefined && day === undefined
              ? undefined
              : { none: 'No entry matches', clear: filtered({ kind: undefined, day: undefined }) }
          }
        />
        {pages.rows.length > 0 && <EntryRows rows={pages.rows} hasMore={pages.hasMore} current={current} onOpen={onOpen} />}
      </div>
      <PaneFoot>
        {pages.rows.length > 0 && <Foot rows={pages.rows} hasMore={pages.hasMore} />}
        <More pages={pages} />
      </PaneFoot>
    </Pane>
  )
}
