import type { ReplyOf } from '@tizara/contract'
import { previewChange, proposeChange, staffChanges } from '@tizara/contract/staff-changes'
import type { PayoutRule } from '@tizara/contract/staff-payout-rules'
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { FormError } from '../../kit/form-error.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { PreviewOf } from '../catalogue/propose-dialog.tsx'
import { faultOfRules } from './rule-form.ts'

export interface ProposeRulesProps {
  rules: readonly PayoutRule[]
  onProposed: () => void
}

/** Runs a draft over the last 30 days, and then proposes it. */
export function ProposeRules({ rules, onProposed }: ProposeRulesProps) {
  const [preview, setPreview] = useState<{ of: readonly PayoutRule[]; data: ReplyOf<typeof previewChange> }>()
  const [start, setStart] = useState('')
  const [reason, setReason] = useState('')
  const [errorText, setErrorText] = useState<string>()
  const shown = preview?.of === rules ? preview.data : undefined
  const change = {
    subject: 'payout-rules' as const,
    value: { rules: [...rules] },
    ...(start === '' ? {} : { startsAt: new Date(`${start}:00Z`) }),
  }
  async function attempt(act: () => Promise<void>): Promise<void> {
    if (isOffline()) return
    setErrorText(undefined)
    try {
      await act()
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  const dryRun = () =>
    attempt(async () => {
      const fault = faultOfRules(rules)
      if (fault !== undefined) return setErrorText(fault)
      setPreview({ of: rules, data: (await call(previewChange, { body: change })).data })
    })
  const propose = () =>
    attempt(async () => {
      if (reason.trim() === '') return setErrorText('A proposal needs a reason')
      const { data } = await call(proposeChange, { body: { ...change, reason: reason.trim() } })
      toast('Proposed; another person has to approve it')
      await refetch(staffChanges)
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
        <span className="block text-xs text-faint">If empty, the rules take effect on approval.</span>
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
          <SendButton variant="primary" onClick={dryRun}>
            Try on the last 30 days
          </SendButton>
        ) : (
          <SendButton variant="primary" aria-disabled={shown.blocks.length > 0} onClick={propose}>
            Propose these rules
          </SendButton>
        )}
      </div>
    </div>
  )
}
