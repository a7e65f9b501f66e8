import { staffAudit } from '@tizara/contract/staff'
import { checkAuditChain, startExport } from '@tizara/contract/staff-audit'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { queryClient } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { findClass } from '../../kit/find-class.ts'
import { JobLine } from '../../kit/job-line.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { useMay } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { utcAndLocal } from '../../kit/when.ts'
import { AuditRows } from './audit-rows.tsx'
import { ChainSigns } from './chain-signs.tsx'
import { Page } from '../../kit/page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { chipClass } from '../../../ui/chip.ts'
import { cx } from '../../../ui/cx.ts'
import { panelClass } from '../../../ui/panel.tsx'

const CHIPS = [
  { name: 'who', value: 'staff', text: 'Staff' },
  { name: 'who', value: 'member', text: 'Members' },
  { name: 'who', value: 'system', text: 'System' },
  { name: 'kind', value: 'decision', text: 'Decisions' },
  { name: 'kind', value: 'view', text: 'Views of personal data' },
  { name: 'kind', value: 'refused', text: 'Refused' },
] as const

/** The day's part of an address, UTC. */
const today = () => new Date().toISOString().slice(0, 10)

/** `/staff/audit`: staff actions, refusals, views of personal data and the state of the hash chain. */
export default function AuditView() {
  const { search, filter, filtered } = usePageLocation('/staff/audit')
  const query = Object.fromEntries(
    ['q', 'who', 'kind', 'from', 'to'].flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])),
  )
  const pages = usePages(staffAudit, { query }, 50)
  const searchedTo = pages.last?.searchedTo
  const [job, setJob] = useState<{ id: string; doing: string }>()
  const mayExport = useMay('startExport')
  const begin = (doing: string, started: Promise<{ data: { jobId: string } }>) =>
    started.then(
      ({ data }) => setJob({ id: data.jobId, doing }),
      (error: unknown) => toast(toApiError(error).message, { tone: 'danger' }),
    )
  return (
    <Page
      title="Audit log"
      className="[&_tbody_tr]:cursor-pointer"
      width={1240}
      hint="All staff actions, refusals and views of personal data. Rows are never changed or deleted."
      right={
        <div className="flex min-w-0 items-center gap-2">
          <SendButton icon={<RefreshCw size={14} aria-hidden="true" />} onClick={() => begin('Checking every row', call(checkAuditChain))}>
            Check now
          </SendButton>
          {mayExport && (
            <SendButton
              icon={<Download size={14} aria-hidden="true" />}
              onClick={() => begin('Writing the file', call(startExport, { body: { list: 'audit', filter: query } }))}
            >
              Export
            </SendButton>
          )}
        </div>
      }
    >
      {job !== undefined && (
        <Notice icon={null} className="mb-3">
          <JobLine key={job.id} id={job.id} doing={job.doing} onDone={() => void queryClient.invalidateQueries()} />
        </Notice>
      )}
      <ChainSigns />
      <div className="flex min-w-0 items-center flex-wrap mt-4 gap-1.5">
        <Find text={search.get('q') ?? ''} onFind={(q) => filter({ q: q === '' ? undefined : q })} />
        {CHIPS.map(({ name, value, text }) => {
          const isOn = search.get(name) === value
          return (
            <button
              key={value}
              type="button"
              className={chipClass()}
              aria-pressed={isOn}
              onClick={() => filter({ [name]: isOn ? undefined : value })}
            >
              {text}
            </button>
          )
        })}
        <button
          type="button"
          className={cx(chipClass(), 'ml-auto')}
          aria-pressed={search.get('from') !== null}
          onClick={() => filter(search.get('from') === null ? { from: today(), to: today() } : { from: undefined, to: undefined })}
        >
          Today
        </button>
      </div>
      <section className={panelClass('mt-3')} aria-label="Rows">
        <ListState
          query={pages}
          rows={pages.rows.length}
          none="No entries yet"
          filtered={
            search.size === 0
              ? undefined
              : {
                  none: searchedTo === undefined ? 'No row matches' : 'No row matches so far',
                  clear: filtered({ q: undefined, who: undefined, kind: undefined, from: undefined, to: undefined }),
                }
          }
        />
        <AuditRows rows={pages.rows} />
        {searchedTo !== undefined && (
          <p className="px-3 pt-3 text-muted" role="status">
            Searched back to {utcAndLocal(searchedTo.at)}. Load more to search further back, or choose a period.
          </p>
        )}
        <More pages={pages} />
      </section>
    </Page>
  )
}

/** Searches by person, action, subject or reason after a typing pause. */
function Find({ text, onFind }: { text: string; onFind: (q: string) => void }) {
  const [typed, setTyped] = useState(text)
  const field = useRef<HTMLInputElement>(null)
  const find = useRef(onFind)
  useEffect(() => void (find.current = onFind))
  useEffect(() => {
    if (typed === text) return undefined
    const timer = setTimeout(() => find.current(typed), 300)
    return () => clearTimeout(timer)
  }, [typed, text])
  useKeys({ '/': () => field.current?.focus() })
  return (
    <label className={findClass('h-7 w-[300px] focus-within:border-accent-line')}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={field}
        className="min-w-0 flex-1 border-0 bg-transparent outline-none"
        aria-label="Person, action, subject or reason"
        placeholder="Person, action, subject or reason"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  )
}
