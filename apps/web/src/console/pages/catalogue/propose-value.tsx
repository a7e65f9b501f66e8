import type { BodyOf, ReplyOf } from '@tizara/contract'
import { previewChange, proposeChange, staffCatalogue, staffChanges } from '@tizara/contract/staff-changes'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { FormError } from '../../kit/form-error.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { PreviewOf } from './propose-dialog.tsx'

type Change = BodyOf<typeof previewChange>

export interface ProposeValueProps {
  /** Subject and value. The preview expires when the value is another object. */
  change: Pick<Change, 'subject' | 'value'>
  /** Texts of the buttons that preview and propose. */
  verbs: readonly [preview: string, propose: string]
  /** Says what is wrong with the value before it is sent; undefined if nothing is. */
  faultOf: () => string | undefined
  onProposed: () => void
}

/** Previews a value that is approved as a whole, and then proposes it. */
export function ProposeValue({ change: { subject, value }, verbs: [previewVerb, proposeVerb], faultOf, onProposed }: ProposeValueProps) {
  const [preview, setPreview] = useState<{ of: object; data: ReplyOf<typeof previewChange> }>()
  const [start, setStart] = useState('')
  const [reason, setReason] = useState('')
  const [errorText, setErrorText] = useState<string>()
  const shown = preview?.of === value ? preview.data : undefined
  const change = { subject, value, ...(start === '' ? {} : { startsAt: new Date(`${start}:00Z`) }) } as Change
  async function attempt(act: () => Promise<void>): Promise<void> {
    if (isOffline()) return
    setErrorText(undefined)
    try {
      await act()
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  const see = () =>
    attempt(async () => {
      const fault = faultOf()
      if (fault !== undefined) return setErrorText(fault)
      setPreview({ of: value, data: (await call(previewChange, { body: change })).data })
    })
  const propose = () =>
    attempt(async () => {
      if (reason.trim() === '') return setErrorText('A proposal needs a reason')
      const { data } = await call(proposeChange, { body: { ...change, reason: reason.trim() } })
      toast('Proposed; another person has to approve it')
      await refetch(staffChanges, staffCatalogue)
      onProposed()
      navigate(`/staff/changes/${data.id}`)
    })
  return (
    <div className="grid gap-3.5 px-4 py-3.5">
      <label>
        <span className="mb-1 block font-semi">Effective from, UTC</span>
        <input
          type="datetime-local"
          className="control max-w-72"
          value={start}
          onChange={(event) => {
            setStart(event.target.value.slice(0, 16))
            setPreview(undefined)
          }}
        />
        <span className="block text-xs text-faint">If empty, it takes effect on approval.</span>
      </label>
      {shown !== undefined && <PreviewOf preview={shown} />}
      {shown !== undefined && (
        <label>
          <span className="mb-1 block font-semi">Reason</span>
          <input className="control" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
      )}
      <FormError text={errorText} />
      <Offline />
      <div>
        {shown === undefined ? (
          <SendButton variant="primary" onClick={see}>
            {previewVerb}
          </SendButton>
        ) : (
          <SendButton variant="primary" aria-disabled={shown.blocks.length > 0} onClick={propose}>
            {proposeVerb}
          </SendButton>
        )}
      </div>
    </div>
  )
}
