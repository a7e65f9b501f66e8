/** Labels for the states of a transaction of the hot wallet that belongs to no payout request. */
export const sendingStates = {
  QUEUED: 'Waiting to be signed',
  SIGNED: 'Sent, not in a block yet',
  MINED: 'In a block, not final yet',
  DONE: 'Arrived',
  FAILED: 'Failed on the chain',
  CANCELLED: 'Cancelled',
} as const
