import { staffQueue } from '@tizara/contract/staff-queues'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { copyText } from '../../../lib/copy-text.ts'
import { More } from '../../kit/list-parts.tsx'
import { useColleaguesAt } from '../../kit/presence.ts'
import { PresenceLine } from '../../kit/presence-marks.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { bulkTotals } from './bulk-totals.ts'
import { DecideBar } from './decide-bar.tsx'
import { EarlierDecisions } from './deposit-details.tsx'
import { FourEyes } from './four-eyes.tsx'
import { ItemDetails } from './item-details.tsx'
import { MemberPane } from './member-pane.tsx'
import { nameOf, amountToPay, type QueueRow, type QueueWords, type QueueFilter } from './queue.ts'
import { isFlagged, QueueBars } from './queue-bars.tsx'
import { QueueList } from './queue-list.tsx'
import { Nothing, State, Sums, NoSelection } from './queue-states.tsx'
import { Sending } from './sending.tsx'
import { Signs } from './signs.tsx'
import { UndoBar } from './undo-bar.tsx'
import { type DecideHandle, useDecision } from './use-decision.ts'
import { usePayoutAddress } from './use-payout-address.ts'
import { usePrefetchedItem, useQueueItem } from './use-queue-item.ts'
import { BackButton, Pane, PaneBar, Split } from '../../../ui/split.tsx'
import { Button } from '../../../ui/button.tsx'

const BulkSheet = lazy(() => import('./bulk.tsx').then((file) => ({ default: file.BulkSheet })))

/** Shows a queue and one item: list, details with decision, member (staff.md 3 and 4). */
export function QueueView({ words }: { words: QueueWords }) {
  const [pathname] = useLocation()
  const search = new URLSearchParams(useSearch())
  const id = pathname.slice(words.path.length + 1) || undefined
  const view: QueueFilter = (['others', 'decided'] as const).find((one) => one === search.get('for')) ?? 'me'
  const kind = (['withdrawals', 'bridges'] as const).find((one) => words.list === 'payouts' && one === search.get('kind')) ?? words.list
  const filters = {
    ...(search.has('flagged') ? { flagged: 'true' as const } : {}),
    ...(words.list === 'payouts' && search.has('rule') ? { rule: search.get('rule') ?? '' } : {}),
    ...(search.has('aboveLimit') ? { aboveLimit: 'true' as const } : {}),
  }
  const isFiltered = kind !== words.list || Object.keys(filters).length > 0
  const list = usePages(staffQueue, { params: { kind }, query: { for: view, ...filters } })
  const rows: readonly QueueRow[] = filters.flagged === undefined ? list.rows : list.rows.filter(isFlagged)
  const row = rows.find((one) => one.id === id)
  const detail = useQueueItem(words, id, row)
  const item = detail.data ?? row
  const colleagues = useColleaguesAt(id === undefined ? words.list : `${words.list}/${id}`)
  const { reveal } = usePayoutAddress(item)
  async function copyAddress(): Promise<void> {
    const address = await reveal()
    if (address !== undefined) await copyText(address, { copied: 'Address copied', failed: 'The address could not be copied' })
  }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [bulk, setBulk] = useState(false)
  const bar = useRef<DecideHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const toHeading = useRef(false)
  const suffix = search.size === 0 ? '' : `?${search.toString()}`
  const open = (next: QueueRow | undefined) =>
    navigate(next === undefined ? `${words.path}${suffix}` : `${words.path}/${next.id}${suffix}`, { replace: id !== undefined })
  const at = rows.findIndex((one) => one.id === id)
  const step = (by: number) => open(rows[Math.max(0, Math.min(rows.length - 1, at + by))])
  const decision = useDecision((decided) => {
    const index = rows.findIndex((one) => one.id === decided.id)
    toHeading.current = true
    open(rows[index + 1] ?? rows[index - 1])
  })
  useEffect(() => {
    if (!toHeading.current || item === undefined) return
    toHeading.current = false
    heading.current?.focus()
  }, [item])
  usePrefetchedItem(rows[at + 1])
  const select = (one: QueueRow) =>
    setSelected((before) => {
      const after = new Set(before)
      if (!after.delete(one.id) && one.status === 'PENDING') after.add(one.id)
      return after
    })
  /** Adds this row and the next to the selection and opens the next. */
  const extend = (by: number) => {
    const to = rows[at + by]
    if (row === undefined || to === undefined) return
    const waiting = [row, to].filter((one) => one.status === 'PENDING')
    setSelected((before) => new Set([...before, ...waiting.map((one) => one.id)]))
    open(to)
  }
  useKeys({
    j: () => step(1),
    k: () => step(at < 0 ? 1 : -1),
    x: row === undefined ? undefined : () => select(row),
    'Shift+J': () => extend(1),
    'Shift+K': () => extend(-1),
    o: item === undefined ? undefined : () => navigate(`/staff/members/${item.member.id}/timeline`),
    '/': () => document.querySelector<HTMLElement>('[aria-label=Queue] select, [aria-label=Queue] [aria-pressed]')?.focus(),
    a: () => bar.current?.arm('approve'),
    r: () => bar.current?.arm('reject'),
    c: item?.address === undefined ? undefined : () => void copyAddress(),
    u: item?.whyNot === 'FIRST_WAS_YOU' ? () => void decision.revoke(item) : undefined,
    z: decision.undo,
    Escape: () => bar.current?.disarm(),
    'mod+Enter': () => bar.current?.submit(),
    ...Object.fromEntries([1, 2, 3].map((index) => [String(index), () => bar.current?.usePreparedReason(index - 1)])),
  })
  const picked = rows.filter((one) => selected.has(one.id))
  const failure = decision.failure !== undefined && decision.failure.id === item?.id ? decision.failure.text : undefined
  return (
    <Split columns="md:grid-cols-[344px_minmax(0,1fr)_288px]" isOpen={id !== undefined} thirdOnPhone>
      <Pane aria-label="Queue">
        <QueueBars words={words} view={view} search={search} rows={rows} hasMore={list.hasMore} />
        <div className="min-h-0 flex-1 md:overflow-auto">
          {rows.length === 0 ? (
            <Nothing list={list} words={words} view={view} filtered={isFiltered} />
          ) : (
            <QueueList
              list={words.list}
              label={`${words.one}s that wait`}
              rows={rows}
              which={`${view} ${suffix}`}
              current={id}
              selected={selected}
              sending={decision.waiting?.row.id}
              onOpen={open}
              onSelect={select}
            />
          )}
          <More pages={list} />
        </div>
        {rows.length > 0 && picked.length === 0 && (
          <Sums rows={rows} whole={!list.hasMore} order={view === 'decided' ? 'Newest first' : 'Oldest first'} />
        )}
        {picked.length > 0 && (
          <div className="flex flex-none items-center gap-2.5 border-t bg-raised px-3 py-2.5 max-md:hidden">
            <span className="text-xs text-muted min-w-0 flex-1">{picked.length} selected</span>
            <Button size="sm" onClick={() => setSelected(new Set())}>
              Clear
            </Button>
            <Button variant="primary" size="sm" aria-disabled={bulkTotals(picked).included.length === 0} onClick={() => setBulk(true)}>
              Approve selected
            </Button>
          </div>
        )}
      </Pane>
      <Pane aria-label={item === undefined ? words.one : `${plain(item.member.name)}, ${formatAmount(amountToPay(item))}`}>
        {item === undefined ? (
          <NoSelection id={id} error={detail.error} none={rows.length === 0} />
        ) : (
          <>
            <PaneBar>
              <BackButton onClick={() => open(undefined)} />
              <h2 ref={heading} tabIndex={-1} className="font-semi">
                {nameOf(item.kind)}
              </h2>
              <span className="font-mono text-xs text-faint max-md:hidden">{item.id}</span>
              <State item={item} />
              <PresenceLine people={colleagues} />
            </PaneBar>
            <div className="min-h-0 flex-1 md:overflow-auto">
              <div className="px-4 pt-3.5 pb-5 md:px-5 md:pt-4">
                <ItemDetails item={item} detail={detail.data} />
                <FourEyes item={item} effect={detail.data?.effect} />
                <Sending item={item} sending={detail.data?.sending} />
                <EarlierDecisions item={item} />
                <Signs item={item} checks={detail.data?.checks} />
              </div>
            </div>
            <DecideBar
              ref={bar}
              item={item}
              effect={detail.data?.effect}
              words={words}
              failure={failure}
              onDecide={decision.decide}
              onRevoke={() => decision.revoke(item)}
              onNext={() => step(1)}
            />
          </>
        )}
      </Pane>
      {item === undefined ? <Pane as="aside" aria-label="The member" /> : <MemberPane item={item} about={detail.data?.about} />}
      {decision.waiting !== undefined && <UndoBar decision={decision.waiting} onUndo={decision.undo} />}
      <Suspense fallback={null}>
        {bulk && (
          <BulkSheet
            rows={picked}
            onClose={(done) => {
              setBulk(false)
              if (done) setSelected(new Set())
            }}
          />
        )}
      </Suspense>
    </Split>
  )
}
