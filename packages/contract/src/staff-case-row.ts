import * as v from 'valibot'
import { answerId, moment } from './fields.ts'
import { person } from './staff.ts'

/** `cleared`: the suspicion was wrong. `acted`: staff took measures. `reported`: it was reported to an authority. */
export const caseOutcomes = ['cleared', 'acted', 'reported'] as const
export type CaseOutcome = (typeof caseOutcomes)[number]

/** A case about a member. A closed case has an outcome with its reason. */
export const caseRow = v.object({
  id: answerId,
  member: person,
  title: v.string(),
  /** Why it was opened. */
  reason: v.string(),
  /** Absent for a case that screening opened and nobody has taken. */
  owner: v.nullable(person),
  openedAt: moment,
  dueAt: moment,
  outcome: v.nullable(v.picklist(caseOutcomes)),
  outcomeReason: v.nullable(v.string()),
  closedBy: v.nullable(person),
  closedAt: v.nullable(moment),
})
