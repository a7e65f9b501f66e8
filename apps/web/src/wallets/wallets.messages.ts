/** Exact texts of the wallet actions that several capabilities share. */
export const walletMessages = {
  /** Title of a server's refusal (ER-20, ER-22, ER-25, ER-28, ER-29). */
  failed: 'Failed',
  /** Server said yes without words. */
  done: 'Your request was successful',
  /** Title and text of ER-24, VA-42, VA-55: the title is in lower case. */
  zeroTitle: 'failed',
  zero: 'Balance is low',
} as const
