import { approveChange, refuseChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { staffOverview } from '@tizara/contract/staff'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useRef, useState } from 'react'
import { call, toApiError } from '../../lib/api.ts'
import { refetch } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useDraft } from '../lib/drafts.ts'
import { useMay, useMe } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { bothClocks, brief } from '../lib/when.ts'
import type { ChangeRow } from './changes.view.tsx'
import { diffOf, words } from './diff.ts'

/** A proposal in full: every field, old beside new, and the decision. */
export function ChangeDetail({ row, onBack }: { row: ChangeRow; onBack: () => void }) {
  return (
    <section className="pane" aria-label={`Change of ${words(row.subject).toLowerCase()}`}>
      <div className="bar">
        <button type="button" className="ib ph" aria-label="Back" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </button>
        <h2 className="b">{words(row.subject)}</h2>
        <span className="mono fnt hide">{row.id}</span>
        <span className={{ PENDING: 'badge acc', APPROVED: 'badge ok', REFUSED: 'badge bad' }[row.status]}>
          {{ PENDING: 'Waits', APPROVED: 'In force', REFUSED: 'Refused' }[row.status]}
        </span>
      </div>
      <div className="scroll">
        <div className="pad">
          <p>
            <b>{row.mine ? 'You' : plain(row.proposedBy)}</b> proposed it,{' '}
            <span className="mut" title={bothClocks(row.createdAt)}>
              {brief(row.createdAt)} UTC
            </span>
            : “{plain(row.reason)}”
          </p>
          <Diff row={row} />
          {row.status !== 'PENDING' && (
            <p className="note mt16">
              {plain(row.decidedBy ?? '')} {row.status === 'APPROVED' ? 'approved' : 'refused'} it
              {row.decidedAt ? `, ${brief(row.decidedAt)} UTC` : ''}
              {row.decisionReason ? `: “${plain(row.decisionReason)}”` : ''}
            </p>
          )}
        </div>
      </div>
      {row.status === 'PENDING' && <Decide row={row} />}
    </section>
  )
}

function Diff({ row }: { row: ChangeRow }) {
  return (
    <div className="diff mt16">
      <table>
        <caption className="sr">What changes</caption>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Holds when proposed</th>
            <th scope="col">Proposed</th>
          </tr>
        </thead>
        <tbody>
          {diffOf(row.before, row.value).map((line) => (
            <tr key={line.label}>
              <th scope="row" className={line.same ? '' : 'b'}>
                {plain(line.label)}
              </th>
              <td>
                {line.before === undefined ? 'new' : line.same ? plain(line.before) : <del className="old">{plain(line.before)}</del>}
              </td>
              <td>{line.same ? <span className="fnt">same</span> : <ins className="new">{plain(line.after)}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Decide({ row }: { row: ChangeRow }) {
  const me = useMe()
  const may = useMay(`change.${row.subject}`)
  const [reason, setReason] = useDraft(`${me.person.id}:change:${row.id}`)
  const [armed, setArmed] = useState<'approve' | 'refuse'>()
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)

  async function decide(verb: 'approve' | 'refuse'): Promise<void> {
    const text = reason.trim()
    if (verb === 'refuse' && text === '') {
      setFault('A refusal needs a reason')
      field.current?.focus()
      return
    }
    const params = { id: row.id }
    try {
      if (verb === 'approve') await call(approveChange, { params, body: text === '' ? {} : { reason: text } })
      else await call(refuseChange, { params, body: { reason: text } })
      setReason('')
      toast(verb === 'approve' ? 'The change is in force' : row.mine ? 'Taken back' : 'The change is refused')
    } catch (error) {
      setFault(toApiError(error).message)
    }
    await refetch(staffChanges, staffCatalogue, staffOverview)
  }
  const arm = (verb: 'approve' | 'refuse') => {
    setArmed(verb)
    field.current?.focus()
  }
  useKeys({
    a: may && !row.mine ? () => arm('approve') : undefined,
    r: may ? () => arm('refuse') : undefined,
    Escape: () => setArmed(undefined),
    'mod+Enter': armed === undefined ? undefined : () => void decide(armed),
  })
  if (!may)
    return (
      <div className="decide">
        <p className="note">Your role does not decide this.</p>
      </div>
    )
  return (
    <div className="decide">
      {fault !== undefined && (
        <p role="alert" className="note bad" style={{ marginBottom: 8 }}>
          {fault}
        </p>
      )}
      {row.mine && (
        <p className="sm mut" style={{ marginBottom: 8 }}>
          Another person has to approve this.
        </p>
      )}
      <label className="f sr" htmlFor="why">
        Reason
      </label>
      <textarea
        ref={field}
        id="why"
        className="control"
        rows={1}
        maxLength={500}
        placeholder="Reason. It stays in the audit log."
        value={reason}
        onChange={(event) => {
          setReason(event.target.value.replaceAll('\n', ' '))
          setFault(undefined)
        }}
      />
      <div className="row mt12">
        <span className="grow hide" />
        <Button className={armed === 'refuse' ? 'btn dan xl armed' : 'btn dan xl'} onClick={() => decide('refuse')}>
          {row.mine ? 'Take it back' : 'Refuse'}
          <kbd className="kbd">{armed === 'refuse' ? '⌘ ↵' : 'R'}</kbd>
        </Button>
        {!row.mine && (
          <Button variant="primary" className={armed === 'approve' ? 'btn pri xl armed' : 'btn pri xl'} onClick={() => decide('approve')}>
            Approve, in force at once
            <kbd className="kbd">{armed === 'approve' ? '⌘ ↵' : 'A'}</kbd>
          </Button>
        )}
      </div>
    </div>
  )
}
