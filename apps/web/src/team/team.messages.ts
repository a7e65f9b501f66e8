import { texts } from '@tizara/languages'

/** Exact team texts, each with its requirement row. */
export const messages = texts({
  /** ER-64, UI-RCM-10: kept in state, not shown. */
  referralsFailed: 'Failed to fetch referrals.',
  /** ER-65, UI-RCM-10: kept in state, not shown. */
  totalsFailed: 'Failed to fetch team deposit.',
})
