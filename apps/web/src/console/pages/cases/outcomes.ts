import type { CaseOutcome } from '@tizara/contract/staff-case-row'

/** Names of the outcomes of a case. */
export const OUTCOMES: Readonly<Record<CaseOutcome, string>> = {
  cleared: 'Cleared',
  acted: 'Measures taken',
  reported: 'Reported to an authority',
}
