import { texts } from '@tizara/languages'

/** Exact texts shared by several wallet actions. */
export const walletMessages = texts({
  /** Title for a server refusal (ER-20, ER-22, ER-25, ER-28, ER-29). */
  failed: 'Failed',
  /** Default when the server sends no message. */
  done: 'Your request was successful',
  /** Title (lower case) and text for ER-24, VA-42, VA-55. */
  zeroTitle: 'failed',
  zero: 'Balance is low',
})
