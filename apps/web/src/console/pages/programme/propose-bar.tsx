import { proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { staffOverview } from '@tizara/contract/staff'
import { useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { SendButton } from '../../kit/offline.tsx'
import { type Draft, rulesOf } from './draft.ts'
import { grouped } from './result.tsx'
import { Fault } from '../../kit/fault.tsx'

/** Proposes the draft on the strength of what its simulation came to. */
export function ProposeBar({ draft, hash, onDone }: { draft: Draft; hash: string | undefined; onDone: () => void }) {
  const id = useId()
  const [start, setStart] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  async function propose(): Promise<void> {
    if (hash === undefined) return setFault('Run the simulation for exactly these figures first')
    if (reason.trim() === '') return setFault('A proposal needs a reason')
    const startsAt = start === '' ? {} : { startsAt: `${start}:00Z` }
    const body = { subject: 'programme' as const, value: rulesOf(draft), simulation: hash, reason: reason.trim(), ...startsAt }
    try {
      const { data } = await call(proposeChange, { body: body as never })
      toast('Proposed; another person has to approve it')
      onDone()
      await refetch(staffChanges, staffCatalogue, staffOverview)
      navigate(`/staff/changes/${data.id}`)
    } catch (error) {
      const { errorMessages, message } = toApiError(error)
      setFault(errorMessages[0]?.message ?? message)
    }
  }
  return (
    <section className="panel" aria-label="Propose the draft">
      <div className="in">
        <div className="row">
          <span className="mut">Result</span>
          {hash === undefined ? <span className="sm mut">none of this draft yet</span> : <span className="hash">{grouped(hash)}</span>}
          <span className="sm mut grow">goes with the proposal; if it is a day old or differs at approval, it asks to be run again</span>
        </div>
        <div className="to-propose mt12">
          <div>
            <label className="f sm" htmlFor={`${id}-start`}>
              In force from, UTC
            </label>
            <input
              id={`${id}-start`}
              type="datetime-local"
              className="control"
              value={start}
              onChange={(event) => setStart(event.target.value.slice(0, 16))}
            />
          </div>
          <div>
            <label className="f sm" htmlFor={`${id}-why`}>
              Reason
            </label>
            <input
              id={`${id}-why`}
              className="control"
              maxLength={500}
              placeholder="Why, in one sentence"
              value={reason}
              onChange={(event) => {
                setReason(event.target.value)
                setFault(undefined)
              }}
            />
          </div>
          <SendButton variant="primary" className="btn pri" aria-disabled={hash === undefined} onClick={propose}>
            Propose
          </SendButton>
        </div>
        <Fault text={fault} className="mt12" />
      </div>
    </section>
  )
}
