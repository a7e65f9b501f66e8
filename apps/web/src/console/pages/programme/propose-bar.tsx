import { proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { staffOverview } from '@tizara/contract/staff'
import { useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { SendButton } from '../../kit/offline.tsx'
import { type Draft, rulesOf } from './draft.ts'
import { grouped } from './result.tsx'
import { FormError } from '../../kit/form-error.tsx'
import { panelClass } from '../../../ui/panel.tsx'

/** Proposes the draft with its simulation result. */
export function ProposeBar({ draft, hash, onDone }: { draft: Draft; hash: string | undefined; onDone: () => void }) {
  const id = useId()
  const [start, setStart] = useState('')
  const [reason, setReason] = useState('')
  const [errorText, setErrorText] = useState<string>()
  async function propose(): Promise<void> {
    if (hash === undefined) return setErrorText('Run the simulation for exactly these figures first')
    if (reason.trim() === '') return setErrorText('A proposal needs a reason')
    const startsAt = start === '' ? {} : { startsAt: `${start}:00Z` }
    const body = { subject: 'programme' as const, value: rulesOf(draft), simulation: hash, reason: reason.trim(), ...startsAt }
    try {
      const { data } = await call(proposeChange, { body: body as never })
      toast('Proposed; another person has to approve it')
      onDone()
      await refetch(staffChanges, staffCatalogue, staffOverview)
      navigate(`/staff/changes/${data.id}`)
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  return (
    <section className={panelClass()} aria-label="Propose the draft">
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 items-center gap-2">
          <span className="text-muted">Hash of the result</span>
          {hash === undefined ? (
            <span className="text-xs text-muted">no simulation of this draft yet</span>
          ) : (
            <span className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-muted">{grouped(hash)}</span>
          )}
          <span className="text-xs text-muted min-w-0 flex-1">
            The proposal contains it. If it is a day old or differs at approval, the simulation must run again.
          </span>
        </div>
        <div className="mt-3 grid grid-cols-[190px_minmax(0,1fr)_auto] items-end gap-2.5 max-[900px]:grid-cols-1">
          <div>
            <label className="mb-1 block font-medium text-xs" htmlFor={`${id}-start`}>
              Effective from, UTC
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
            <label className="mb-1 block font-medium text-xs" htmlFor={`${id}-why`}>
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
                setErrorText(undefined)
              }}
            />
          </div>
          <SendButton variant="primary" aria-disabled={hash === undefined} onClick={propose}>
            Propose
          </SendButton>
        </div>
        <FormError text={errorText} className="mt-3" />
      </div>
    </section>
  )
}
