import type { ReplyOf } from '@tizara/contract'
import { proposeChange, staffChanges } from '@tizara/contract/staff-changes'
import { MAX_LIST_BYTES, MAX_LIST_ENTRIES, staffScreeningLists, uploadScreeningList } from '@tizara/contract/staff-screening'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { FileInput } from '../../../ui/file-input.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { errorTextOf } from '../../kit/error-text.ts'
import { FormError } from '../../kit/form-error.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { isOffline } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { watch } from '../../kit/watch.ts'
import { briefly } from '../../kit/when.ts'

type Lists = ReplyOf<typeof staffScreeningLists>

const count = (entries: number) => `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`
const short = (hash: string) => <code title={hash}>{hash.slice(0, 12)}</code>

/** Shows the list in force and the uploaded one, which two people put in force. */
export function ScreeningListPanel() {
  const lists = useQuery(watch(staffScreeningLists, {}))
  const mayPropose = useMay('change.screening-list')
  const whoProposes = useWhoCan('change.screening-list')
  const [proposing, setProposing] = useState<{ hash: string | null }>()
  const { active, staged } = lists.data ?? {}
  const button = (label: string, hash: string | null) => (
    <Button
      size="sm"
      aria-disabled={!mayPropose}
      title={mayPropose ? undefined : whoProposes}
      onClick={() => mayPropose && setProposing({ hash })}
    >
      {label}
    </Button>
  )
  return (
    <Panel title="List" className="mt-3" right={active === undefined ? undefined : button('Switch off', null)}>
      <ListState query={lists} rows={1} none="" />
      {lists.data !== undefined && (
        <div className="grid gap-4 px-4 pt-3 pb-4 md:grid-cols-2">
          <Active list={active} />
          <div className="min-w-0">
            <Upload />
            {staged !== undefined && (
              <div className="mt-3 flex min-w-0 flex-wrap items-center gap-2">
                <span>
                  Uploaded {briefly(staged.stagedAt)} UTC: {count(staged.entries)}, hash {short(staged.hash)}
                </span>
                {button('Propose this list', staged.hash)}
              </div>
            )}
          </div>
        </div>
      )}
      {proposing !== undefined && <ProposeList hash={proposing.hash} staged={staged} onClose={() => setProposing(undefined)} />}
    </Panel>
  )
}

function Active({ list }: { list: Lists['active'] }) {
  if (list === undefined)
    return (
      <div>
        <Badge tone="neutral">Off</Badge>
        <p className="mt-1 text-xs text-muted">Without a list, nobody is compared.</p>
      </div>
    )
  return (
    <div>
      <Badge tone="success">On</Badge>
      <p className="mt-1">
        {count(list.entries)}, in force since {briefly(list.activatedAt)} UTC, hash {short(list.hash)}
      </p>
      <p className="text-xs text-muted">
        {list.isCompared
          ? 'All members have been compared with it.'
          : 'Members are being compared. Nobody is paid before their comparison.'}
      </p>
    </div>
  )
}

function Upload() {
  const may = useMay('uploadScreeningList')
  const whoCan = useWhoCan('uploadScreeningList')
  const [errorText, setErrorText] = useState<string>()
  const [file, setFile] = useState<File | null>(null)
  async function send(next: File | null): Promise<void> {
    setErrorText(undefined)
    setFile(next)
    if (next === null || isOffline()) return
    try {
      if (next.size > MAX_LIST_BYTES) return setErrorText(`The list is larger than ${MAX_LIST_BYTES / 1_000_000} MB`)
      await call(uploadScreeningList, { body: {}, file: next })
      toast('Uploaded; two people have to put it in force')
      setFile(null)
      await refetch(staffScreeningLists)
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  return (
    <>
      <p className="mb-1 font-semi">Upload a list</p>
      <FileInput
        label="Screening list"
        accept="text/csv,.csv"
        value={file}
        prompt="Choose a CSV file"
        clearLabel="Remove the file"
        disabled={!may}
        onChange={(next) => void send(next)}
      />
      <FormError text={errorText} />
      <p className="mt-1 text-xs text-faint">
        {may ? '' : `${whoCan ?? ''} `}Columns: source, reference, name, aliases, addresses, listed_on. The last line is #end and the number
        of entries. At most {MAX_LIST_BYTES / 1_000_000} MB and {count(MAX_LIST_ENTRIES)}.
      </p>
    </>
  )
}

function ProposeList({ hash, staged, onClose }: { hash: string | null; staged: Lists['staged']; onClose: () => void }) {
  return (
    <ActDialog
      title={hash === null ? 'Switch screening off' : 'Propose the uploaded list'}
      effects={
        hash === null
          ? ['Another person has to approve it.', 'Members are no longer compared. Matches that nobody has cleared still hold payouts.']
          : [
              'Another person has to approve it.',
              `All members are then compared with ${count(staged?.entries ?? 0)}, and later each new name, address and payout.`,
              'A match holds the payouts of the member until two people have decided.',
            ]
      }
      verb="Propose"
      danger={hash === null}
      draft="screening-list"
      onDo={async (reason) => {
        await call(proposeChange, { body: { subject: 'screening-list', value: { hash }, reason } })
        toast('Proposed; another person has to approve it')
        await refetch(staffChanges)
      }}
      onClose={onClose}
    />
  )
}
