/** The texts of the team pages, to the letter; each beside its requirement row. */
export const messages = {
  /** ER-64, UI-RCM-10: kept in state only. */
  referralsFailed: 'Failed to fetch referrals.',
  /** ER-65, UI-RCM-10: kept in state only. */
  totalsFailed: 'Failed to fetch team deposit.',
} as const
