import { texts } from '@tizara/languages'

/** Exact texts for withdrawals and bridges, each with its requirement. */
export const withdrawalMessages = texts({
  /** UI-M-WITHDRAW-01 */
  title: 'Withdraw Deposit Wallet (Bep 20)',
  /** ER-19, VA-29, UI-M-WITHDRAW-05 */
  insufficient: 'Insufficient Deposit Wallet',
  /** ER-21, VA-36 */
  balanceLow: 'Your balance is low',
  /** UI-M-BRIDGE-05, ST-39 */
  verify: 'Please verify your wallet address. Transactions are final. Do you wish to proceed?',
  /** UI-M-BRIDGE-07 */
  yes: 'Yes',
  cancel: 'Cancel',
  /** ER-23, API-37: default when the server sends no message */
  bridged: 'Bridged Request success',
  /** LS-29: heading */
  bridgeHistory: 'Swap History',
  /** LS-35: heading */
  withdrawalHistory: 'USD Withdraw History',
})
