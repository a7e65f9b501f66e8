import { approveChange, cancelChange, rejectChange, staffCatalogue, staffChange, staffChanges } from '@tizara/contract/staff-changes'
import { staffOverview } from '@tizara/contract/staff'
import { useRef, useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { DecisionBar, ReasonField } from '../../kit/decision-bar.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { useMay, useMe, whoCan } from '../../kit/me.tsx'
import { useKeys } from '../../kit/use-keys.ts'
import { brief } from '../../kit/when.ts'
import { FormError } from '../../kit/form-error.tsx'
import type { ChangeFull } from './proposals.queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { MOD } from '../../kit/mod-key.ts'

type Verb = 'approve' | 'reject' | 'cancel'
const REASON_MISSING = { reject: 'A rejection needs a reason', cancel: 'A cancellation needs a reason' } as const

/** Suggested reasons for each decision. */
const READY: Readonly<Record<Verb, readonly [string, string, string]>> = {
  approve: ['As we agreed', 'Figures checked', 'The next step of the plan'],
  reject: ['Not agreed', 'The figures are wrong', 'Too early'],
  cancel: ['Not agreed', 'The figures are wrong', 'Circumstances changed'],
}

/** Explains why the reader cannot decide a proposal. */
function noteOf(whyNot: ChangeFull['whyNot'], whoDecides: string): string {
  if (whyNot === 'OWN') return 'Another person has to approve this.'
  if (whyNot === 'ROLE') return `Your role does not decide this. ${whoDecides}.`
  return whyNot === 'OUTDATED' ? 'The current value has changed since. Reject it, and propose it again from the catalogue.' : ''
}

/** Decides on a proposal, or cancels a planned one. */
export function Decide({ row }: { row: ChangeFull }) {
  const me = useMe()
  const mayCancel = useMay('cancelChange')
  const mayReject = useMay(`change.${row.subject}`)
  const [reason, setReason] = useDraft(`${me.person.id}:change:${row.id}`)
  const [armed, setArmed] = useState<Verb>()
  const [errorText, setErrorText] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isPlanned = row.status === 'PLANNED'

  async function decide(verb: Verb): Promise<void> {
    if (isOffline()) return
    const text = reason.trim()
    if (verb !== 'approve' && text === '') {
      setErrorText(REASON_MISSING[verb])
      field.current?.focus()
      return
    }
    const params = { id: row.id }
    try {
      if (verb === 'approve') await call(approveChange, { params, body: { seen: row.seen, ...(text === '' ? {} : { reason: text }) } })
      else await call(verb === 'reject' ? rejectChange : cancelChange, { params, body: { reason: text } })
      setReason('')
      toast(doneMessage(verb, row))
    } catch (error) {
      setErrorText(toApiError(error).message)
      setArmed(undefined)
    }
    await refetch(staffChanges, staffChange, staffCatalogue, staffOverview)
  }
  const arm = (verb: Verb) => {
    setArmed(verb)
    field.current?.focus()
  }
  const verbs: Verb[] = isPlanned
    ? mayCancel
      ? ['cancel']
      : []
    : [...(mayReject ? (['reject'] as const) : []), ...(row.canDecide ? (['approve'] as const) : [])]
  const list = READY[armed ?? verbs.at(-1) ?? 'reject']
  useKeys({
    ...Object.fromEntries(list.map((text, index) => [String(index + 1), verbs.length === 0 ? undefined : () => setReason(text)])),
    a: verbs.includes('approve') ? () => arm('approve') : undefined,
    r: verbs[0] === undefined || verbs[0] === 'approve' ? undefined : () => arm(verbs[0] ?? 'reject'),
    Escape: () => setArmed(undefined),
    'mod+Enter': armed === undefined ? undefined : () => void decide(armed),
  })
  const note = isPlanned
    ? mayCancel
      ? ''
      : `${whoCan(me, 'cancelChange')} cancel it.`
    : noteOf(row.whyNot, whoCan(me, `change.${row.subject}`))
  if (verbs.length === 0)
    return (
      <DecisionBar>
        <Notice icon={null}>{note}</Notice>
      </DecisionBar>
    )
  return (
    <DecisionBar>
      <FormError className="mb-2" text={errorText} />
      <Offline />
      {note !== '' && <p className="text-xs text-muted mb-2">{note}</p>}
      <ReasonField
        field={field}
        reason={reason}
        placeholder={isPlanned ? 'Reason. It stays in the audit log.' : 'Reason, required for a rejection. It stays in the audit log.'}
        prepared={list}
        onReason={setReason}
        onType={() => setErrorText(undefined)}
      />
      <div className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 flex-1 max-md:hidden" />
        {verbs.map((verb) => (
          <SendButton
            key={verb}
            variant={verb === 'approve' ? 'primary' : 'danger-quiet'}
            size="lg"
            className={armed === verb ? 'ring-3 ring-accent-line/35' : ''}
            onClick={() => decide(verb)}
          >
            {labelOf(verb, row)}
            <Kbd>{armed === verb ? `${MOD} ↵` : verb === 'approve' ? 'A' : 'R'}</Kbd>
          </SendButton>
        ))}
      </div>
    </DecisionBar>
  )
}

function labelOf(verb: Verb, { mine, startsAt }: ChangeFull): string {
  if (verb === 'cancel') return 'Cancel proposal'
  if (verb === 'reject') return mine ? 'Cancel proposal' : 'Reject'
  return startsAt ? `Approve for ${brief(startsAt)}` : 'Approve, effective immediately'
}

function doneMessage(verb: Verb, { mine, startsAt }: ChangeFull): string {
  if (verb === 'approve') return startsAt ? `Planned for ${brief(startsAt)}` : 'The change is now in effect'
  return verb === 'cancel' || mine ? 'Proposal cancelled' : 'Proposal rejected'
}
