/** How far an approved payout is on the chain, for its owner. */
export const SENDING = {
  waiting: 'Will be sent in a moment',
  sent: 'Sent, waits for a block',
  confirming: 'In a block, waits for twelve confirmations',
  arrived: 'Arrived',
} as const
