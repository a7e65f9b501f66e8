import { texts } from '@tizara/languages'

/** Exact staking texts, misspellings included, each with its requirement row. */
export const messages = texts({
  /** VA-63, ER-34 */
  selectWallet: 'Please Select wallet',
  /** VA-64, VA-65: shown with the success icon. */
  tooSmall: 'Stake amount must be greater than 1',
  /** VA-66, ER-35 */
  insufficient: 'Insufficient Balance',
  /** ER-37 */
  staked: 'Successfully staked amount',
})
