import { texts } from '@tizara/languages'

/** Exact texts for transfers, conversions and swaps, each with its requirement. */
export const transferMessages = texts({
  /** UI-M-EXCHANGE-01 */
  exchange: 'Transfer to My Wallet',
  /** ER-26, UI-M-EXCHANGE-06: errors use this title with the error icon (ER-27) */
  exchangeFailed: 'success',
  /** UI-M-CONVERT-01 */
  convert: 'Convert to My Wallet',
  /** UI-M-SWAP-01 */
  swap: 'Swap',
  /** UI-M-NFT2DEP-01 */
  nftToDeposit: 'Transfer to Deposit',
  /** UI-M-U2U-01 */
  userToUser: 'User To User Transfer',
  /** UI-M-U2U-02 */
  userAmount: 'Transfer Amount (Min $5)',
  /** UI-M-MY2DEP-01 */
  myToDeposit: 'My Wallet to Deposit Wallet',
  /** UI-M-RCM-02 */
  rcm: 'RCM Wallet to Deposit Wallet',
  /** LS-16: heading */
  history: 'Transfer to My wallet History',
})
