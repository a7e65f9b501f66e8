import { texts } from '@tizara/languages'

/** Exact coin texts, each with its requirement. */
export const coinMessages = texts({
  /** UI-M-BUYTOKEN-01 */
  buy: 'Buy Token',
  /** UI-DASH-41 */
  buyNow: 'Buy Now',
  /** ER-33 */
  failed: 'Error!',
  /** UI-DASH-38 */
  blockchain: 'BSC (Bep-20)',
  /** UI-DASH-39 */
  supply: '15 B',
  /** LS-14: heading */
  history: 'Buy token history',
})
