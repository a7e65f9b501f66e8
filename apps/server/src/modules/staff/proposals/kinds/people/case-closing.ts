import { id } from '@tizara/contract'
import { caseOutcomes } from '@tizara/contract/staff-case-row'
import * as v from 'valibot'
import { caseStatus, endCase } from '../../shared/end-case.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Closes a case that another person worked on, or while payouts of the member are held or the account closes. */
export const caseClosing = proposalKind({
  subject: 'case-closing',
  value: v.object({ memberId: id, email: v.string(), caseId: id, outcome: v.picklist(caseOutcomes) }),
  members: memberWithId,
  current: (db, _, { caseId }) => caseStatus(db, caseId),
  baseline: 'all-fields',
  async apply(tx, deps, { memberId, caseId, outcome }, { proposer, reason }) {
    await endCase(tx, { id: caseId, outcome, reason, by: proposer.memberId, at: deps.clock.now() })
    return { audit: [{ action: 'case.close', subject: { type: 'member', id: memberId }, detail: { case: caseId, outcome } }] }
  },
  title: (value) => `Close the case about ${textOf(value['email'])}`,
})
