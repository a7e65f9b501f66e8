import { texts } from '@tizara/languages'

/** Exact NFT texts, misspellings included, each with its requirement row. */
export const messages = texts({
  /** VA-71, ER-38: dialog title. */
  missingWallet: 'Missing Wallet',
  /** VA-71, ER-38 */
  selectWallet: 'Please select a wallet to purchase from',
  /** ER-39 */
  purchased: 'Successfully purchased',
  /** ST-43 */
  running: 'Runing',
  /** ST-44 */
  closed: 'Closed',
})
