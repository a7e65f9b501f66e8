import './queues.css'
import { staffQueue, staffQueueItem } from '@tizara/contract/staff-queues'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/api.ts'
import { queryClient, read } from '../../lib/query.ts'
import { useOverview } from '../lib/overview.ts'
import { copyText } from '../../lib/copy-text.ts'
import { ListState, type ListStateProps } from '../lib/list-parts.tsx'
import { useTogether } from '../lib/presence.ts'
import { PresenceLine } from '../lib/presence-marks.tsx'
import { useKeys } from '../lib/use-keys.ts'
import { watch } from '../lib/watch.ts'
import { together } from './together.ts'
import { DecideBar, type DecideHandle } from './decide-bar.tsx'
import { EarlierDecisions, FourEyes, ItemFacts, Signs } from './item-facts.tsx'
import { MemberPane } from './member-pane.tsx'
import { nameOf, type QueueRow, type QueueWords } from './queue.ts'
import { QueueBars } from './queue-bars.tsx'
import { QueueList } from './queue-list.tsx'
import { Sending } from './sending.tsx'
import { UndoBar } from './undo-bar.tsx'
import { useDecision } from './use-decision.ts'

const BulkSheet = lazy(() => import('./bulk.tsx').then((file) => ({ default: file.BulkSheet })))

const PAGE = 100
type Whose = 'me' | 'others' | 'decided'

/** A queue and one of its items: list, detail with the decision, the member beside (staff.md 3 and 4). */
export function QueueView({ words }: { words: QueueWords }) {
  const [pathname] = useLocation()
  const search = new URLSearchParams(useSearch())
  const id = pathname.slice(words.path.length + 1) || undefined
  const view: Whose = (['others', 'decided'] as const).find((one) => one === search.get('for')) ?? 'me'
  const filters = {
    ...(search.has('flagged') ? { flagged: 'true' as const } : {}),
    ...(search.has('aboveLimit') ? { aboveLimit: 'true' as const } : {}),
  }
  const query = { for: view, limit: PAGE, ...filters }
  const list = useQuery(watch(staffQueue, { params: { kind: words.list }, query }))
  const [loaded, setLoaded] = useState<{ of: string; rows: readonly QueueRow[] }>({ of: '', rows: [] })
  const more = loaded.of === search.toString() ? loaded.rows : []
  const rows: readonly QueueRow[] = [...(list.data?.data ?? []), ...more]
  const row = rows.find((one) => one.id === id)
  const detail = useItem(words, id, row)
  const item = detail.data ?? row
  const colleagues = useTogether(id === undefined ? words.list : `${words.list}/${id}`)
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
  const decision = useDecision((gone) => {
    const place = rows.findIndex((one) => one.id === gone.id)
    toHeading.current = true
    open(rows[place + 1] ?? rows[place - 1])
  })
  useEffect(() => {
    if (!toHeading.current || item === undefined) return
    toHeading.current = false
    heading.current?.focus()
  }, [item])
  const next = rows[at + 1]
  const [nextKind, nextId] = [next?.kind, next?.id]
  useEffect(() => {
    if (nextKind !== undefined && nextId !== undefined)
      void queryClient.prefetchQuery(read(staffQueueItem, { params: { kind: nextKind, id: nextId } }))
  }, [nextKind, nextId])
  const select = (one: QueueRow) =>
    setSelected((before) => {
      const after = new Set(before)
      if (!after.delete(one.id)) after.add(one.id)
      return after
    })
  useKeys({
    j: () => step(1),
    k: () => step(at < 0 ? 1 : -1),
    x: row === undefined ? undefined : () => select(row),
    a: () => bar.current?.arm('approve'),
    r: () => bar.current?.arm('reject'),
    c:
      item?.address === undefined
        ? undefined
        : () => void copyText(item.address ?? '', { copied: 'Address copied', failed: 'The address could not be copied' }),
    z: decision.undo,
    Escape: () => bar.current?.disarm(),
    'mod+Enter': () => bar.current?.go(),
    ...Object.fromEntries([1, 2, 3].map((place) => [String(place), () => bar.current?.ready(place - 1)])),
  })
  const picked = rows.filter((one) => selected.has(one.id))
  async function loadMore(): Promise<void> {
    const last = rows.at(-1)
    if (last === undefined) return
    const page = await queryClient.fetchQuery(read(staffQueue, { params: { kind: words.list }, query: { ...query, before: last.id } }))
    setLoaded({ of: search.toString(), rows: [...more, ...page.data] })
  }
  const failure = decision.failure !== undefined && decision.failure.id === item?.id ? decision.failure.text : undefined
  return (
    <div className={id === undefined ? 'view panes p-queue on' : 'view panes p-queue on open'}>
      <section className="pane" aria-label="Queue">
        <QueueBars words={words} view={view} search={search} />
        <div className="scroll">
          {rows.length === 0 ? (
            <Nothing list={list} words={words} view={view} filtered={Object.keys(filters).length > 0} />
          ) : (
            <QueueList
              list={words.list}
              label={`${words.one}s that wait`}
              rows={rows}
              current={id}
              selected={selected}
              sending={decision.waiting?.row.id}
              onOpen={open}
              onSelect={select}
            />
          )}
          {rows.length > 0 && (list.data?.meta.total ?? 0) > PAGE && more.length % PAGE === 0 && (
            <p className="row" style={{ padding: 12 }}>
              <button type="button" className="btn sm" onClick={() => void loadMore()}>
                Load more
              </button>
            </p>
          )}
        </div>
        {picked.length > 0 && (
          <div className="bulk hide">
            <span className="sm mut grow">{picked.length} selected</span>
            <button type="button" className="btn sm" onClick={() => setSelected(new Set())}>
              Clear
            </button>
            <button type="button" className="btn pri sm" aria-disabled={together(picked).go.length === 0} onClick={() => setBulk(true)}>
              Approve together
            </button>
          </div>
        )}
      </section>
      <section className="pane" aria-label={item === undefined ? words.one : `${item.member.name}, ${item.amount}`}>
        {item === undefined ? (
          <Unchosen id={id} error={detail.error} />
        ) : (
          <>
            <div className="bar">
              <button type="button" className="ib ph" aria-label="Back" onClick={() => open(undefined)}>
                <ArrowLeft size={16} aria-hidden="true" />
              </button>
              <h2 ref={heading} tabIndex={-1} className="b">
                {nameOf(item.kind)}
              </h2>
              <span className="mono fnt hide">{item.id}</span>
              <State item={item} />
              <PresenceLine people={colleagues} />
            </div>
            <div className="scroll">
              <div className="pad">
                <ItemFacts item={item} detail={detail.data} />
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
              onTakeBack={() => decision.takeBack(item)}
              onNext={() => step(1)}
            />
          </>
        )}
      </section>
      {item === undefined ? <aside className="pane" aria-label="The member" /> : <MemberPane item={item} about={detail.data?.about} />}
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
    </div>
  )
}

/** The item's own call; one that is linked without its row is looked for in each of the queues. */
function useItem(words: QueueWords, id: string | undefined, row: QueueRow | undefined) {
  // A row that has left the list still says which queue it came from.
  const known = useRef(new Map<string, QueueRow['kind']>())
  if (row !== undefined) known.current.set(row.id, row.kind)
  const kind = words.list === 'deposits' ? 'deposits' : known.current.get(id ?? '')
  const kinds = kind === undefined ? (['withdrawals', 'bridges'] as const) : [kind]
  const [first, second] = kinds
  const one = useQuery({
    ...watch(staffQueueItem, { params: { kind: first ?? 'withdrawals', id: id ?? '' } }),
    enabled: id !== undefined,
    retry: false,
  })
  const other = useQuery({
    ...watch(staffQueueItem, { params: { kind: second ?? 'bridges', id: id ?? '' } }),
    enabled: id !== undefined && second !== undefined && one.isError,
    retry: false,
  })
  return one.data !== undefined || second === undefined ? one : other
}

function State({ item }: { item: QueueRow }) {
  if (item.status === 'APPROVED') return <span className="badge ok">Approved</span>
  if (item.status === 'REJECTED') return <span className="badge bad">Rejected</span>
  return <span className="badge acc">{(item.approvals ?? []).length > 0 ? 'Waits for the second approval' : 'Waits for approval'}</span>
}

function Unchosen({ id, error }: { id: string | undefined; error: Error | null }) {
  if (id === undefined) return <p className="nothing hide">Choose one with J, or press a row.</p>
  return (
    <p className="nothing">
      {error === null ? 'Reading' : toApiError(error).statusCode === 404 ? 'There is no such request' : 'It could not be read'}
    </p>
  )
}

function Nothing({ list, words, view, filtered }: { list: ListStateProps['query']; words: QueueWords; view: Whose; filtered: boolean }) {
  const work = useOverview().data?.work?.[words.list]
  const others = view !== 'me' || work === undefined ? 0 : work.count - work.forMe
  return (
    <ListState
      query={list}
      rows={0}
      none={view === 'me' ? 'Nothing waits for you' : 'Nothing here'}
      hint={others > 0 ? `${others} wait for another person.` : undefined}
      action={
        others > 0 && (
          <button type="button" className="btn sm" onClick={() => navigate(`${words.path}?for=others`)}>
            Look at those {others}
          </button>
        )
      }
      filtered={filtered ? { none: `No ${words.one} fits`, clear: words.path } : undefined}
    />
  )
}
