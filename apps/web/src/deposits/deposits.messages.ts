import { texts } from '@tizara/languages'

/** Exact texts for deposits and invoices, each with its requirement. */
export const depositMessages = texts({
  /** UI-DASH-01, UI-M-DEPOSIT-01 */
  deposit: 'Deposit',
  /** ER-17: popup title */
  failed: 'Deposit Failed',
  /** ER-17, ER-18: default when the server sends no message */
  failedText: 'Something went wrong!',
  /** LS-31: heading */
  history: 'Payment History',
  /** LS-31: type for payments in USDT */
  usdt: 'USDT',
  /** ST-64, UI-INVOICE-09 */
  waiting: 'Waiting for payment',
  /** UI-INVOICE-10 */
  processing: 'Processing payment',
  /** UI-INVOICE-10 */
  success: 'Payment Success',
  /** ST-71, UI-INVOICE-13 */
  expired: 'Invoice expired',
  /** ER-60, UI-INVOICE-11 */
  loading: 'Loading invoice...',
  /** ER-59, UI-INVOICE-12 */
  loadFailed: 'Failed to load invoice data.',
  /** ER-61, VA-88 */
  noClipboard: 'Clipboard API not supported!',
  /** ER-62 */
  copied: 'Successfully copied!',
  /** ER-63 */
  copyFailed: 'Failed to copy text!',
})
