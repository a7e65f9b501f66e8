import { type CaseOutcome, caseOutcomes } from '@tizara/contract/staff-case-row'
import { closeCase, openCase, staffCases, takeCase } from '@tizara/contract/staff-cases'
import { staffMemberDetail } from '@tizara/contract/staff-members'
import { staffTimeline } from '@tizara/contract/staff-member-pages'
import { useState } from 'react'
import { ApiError, call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Choice } from '../../kit/choice.tsx'
import { OUTCOMES } from '../cases/outcomes.ts'

export type CaseAct = 'open' | 'take' | 'close'

const DUE_DAYS = [1, 3, 7, 14, 30, 90] as const
const TEXTS = {
  open: {
    title: 'Open a case about',
    effects: ['You own it until a colleague takes it over.', 'The account stays as it is, and the member never sees the case.'],
    verb: 'Open',
    done: 'The case is open',
  },
  take: { title: 'Own the case about', effects: ['You own the case, and its due date changes.'], verb: 'Save', done: 'You own the case' },
  close: {
    title: 'Close the case about',
    effects: [
      'The outcome is kept for ever. The account stays as it is.',
      'Another person has to approve it if a colleague worked on the case, a payout is held, or the account closes.',
    ],
    verb: 'Close the case',
    done: 'The case is closed',
  },
} as const

export interface CaseDialogProps {
  act: CaseAct
  memberId: string
  /** Name of the member. */
  name: string
  caseId: string | undefined
  onClose: () => void
}

/** Opens a case about a member, takes it over, or closes it with an outcome. */
export default function CaseDialog({ act, memberId, name, caseId: id = '', onClose }: CaseDialogProps) {
  const { title, effects, verb, done } = TEXTS[act]
  const [caseTitle, setCaseTitle] = useState('')
  const [dueDays, setDueDays] = useState<number>(7)
  const [outcome, setOutcome] = useState<CaseOutcome>('cleared')
  return (
    <ActDialog
      title={`${title} ${name}`}
      effects={effects}
      verb={verb}
      draft={`case:${act}:${memberId}`}
      onDo={async (reason) => {
        let proposalId: string | undefined
        if (act === 'open') {
          if (caseTitle.trim() === '') throw new ApiError({ statusCode: 400, message: 'Enter a title' })
          await call(openCase, { params: { id: memberId }, body: { title: caseTitle, dueDays, reason } })
        } else if (act === 'take') await call(takeCase, { params: { id }, body: { dueDays, reason } })
        else proposalId = (await call(closeCase, { params: { id }, body: { outcome, reason } })).data?.proposalId
        toast(proposalId === undefined ? done : 'Proposed; another person has to approve it')
        await refetch(staffCases, staffMemberDetail, staffTimeline)
      }}
      onClose={onClose}
    >
      {act === 'open' && (
        <label className="mt-3 block">
          <span className="mb-1 block font-medium">Title</span>
          <input
            className="control"
            maxLength={80}
            placeholder="Shared device with a sponsor"
            value={caseTitle}
            onChange={(event) => setCaseTitle(event.target.value)}
          />
        </label>
      )}
      {act === 'close' ? (
        <Choice
          className="mt-3"
          label="Outcome"
          of={caseOutcomes.map((one) => [one, OUTCOMES[one]] as const)}
          value={outcome}
          onChange={setOutcome}
        />
      ) : (
        <label className="mt-3 block">
          <span className="mb-1 block font-medium">Due in</span>
          <select className="control" value={dueDays} onChange={(event) => setDueDays(Number(event.target.value))}>
            {DUE_DAYS.map((one) => (
              <option key={one} value={one}>
                {one === 1 ? '1 day' : `${one} days`}
              </option>
            ))}
          </select>
        </label>
      )}
    </ActDialog>
  )
}
