import { texts } from '@tizara/languages'

/** Exact dashboard texts, each with its requirement. */
export const dashboardMessages = texts({
  /** UI-DASH-01, UI-DASH-02, UI-DASH-03, UI-DASH-05 */
  deposit: 'Deposit',
  bridge: 'Bridge',
  payment: 'Payment',
  withdraw: 'Withdraw',
  /** UI-DASH-08 */
  swapToUsd: 'Swap to USD',
  /** UI-DASH-12, UI-DASH-13: exact spelling */
  transfer: 'Transfer',
  convart: 'Convart',
  /** UI-DASH-18 */
  toMyWallet: 'Transfer to My Wallet',
  swap: 'Swap',
  userToUser: 'User To User Transfer',
  rcmWithdraw: 'Withdraw',
  stakeNow: 'Stake Now',
  buyNow: 'Buy Now',
  /** UI-DASH-19 to UI-DASH-25: `Refferal` is the exact spelling */
  myTeam: 'My Team',
  directRefer: 'Direct Refer',
  totalDeposit: 'Total Deposit',
  levelReward: 'Level Reward',
  totalReward: 'Total Reward',
  refferalBonus: 'Refferal Bonus',
  omegaReward: 'Omega Reward',
  /** UI-DASH-30 to UI-DASH-33 */
  dome: 'DOME',
  wagon: 'WAGON',
  hotelAndResort: 'Hotel And Resort',
  land: 'Land',
  /** UI-DASH-44, UI-DASH-45, ER-68 */
  copied: 'Copied success',
  copyFailed: 'Copy failed',
})

/** Copied toast's duration, in milliseconds (UI-DASH-46, CO-28). */
export const COPIED_MS = 1200
