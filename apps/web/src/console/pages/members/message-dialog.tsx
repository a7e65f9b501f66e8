import { proposal } from '@tizara/contract/staff-changes'
import type { MessageValue } from '@tizara/contract/staff-values'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../lib/http/api.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { submitProposal } from '../../kit/submit-proposal.ts'

export interface MessageDialogProps {
  segment: MessageValue['segment']
  onClose: () => void
}

/** Proposes a message to the active members of a segment, or to all if it has no criteria. */
export default function MessageDialog({ segment, onClose }: MessageDialogProps) {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const toAll = Object.keys(segment).length === 0
  return (
    <ActDialog
      title={toAll ? 'Message to all members' : 'Message to a segment'}
      effects={[
        `${toAll ? 'All active members' : 'The active members that meet the criteria when it is sent'} get it in their inbox and by mail, unless they switched one of them off.`,
        'Another person has to approve it. A message that was sent cannot be taken back.',
      ]}
      verb="Propose"
      draft="message:new"
      onDo={async (reason) => {
        const body = { subject: 'message' as const, value: { title, text, segment }, reason }
        const read = v.safeParse(proposal, body)
        if (!read.success) throw new ApiError({ statusCode: 400, message: faultText(read.issues[0]) })
        await submitProposal(body)
      }}
      onClose={onClose}
    >
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Title</span>
        <input className="control" maxLength={80} value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <label className="mt-3 block">
        <span className="mb-1 block font-medium">Text</span>
        <textarea className="control" rows={5} maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
        <span className="block text-xs text-faint">At most 500 characters. Addresses in it are not links.</span>
      </label>
    </ActDialog>
  )
}

function faultText(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? ''
  if (field === 'value.title') return `Title: ${issue.message}`
  return field === 'value.text' ? `Text: ${issue.message}` : issue.message
}
