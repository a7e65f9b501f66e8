/** Kinds of rows in members' lists. The route of a list declares the kind as `history`. */
export const historyKinds = [
  'buy-token',
  'deposit',
  'nft-purchase',
  'referral-reward',
  'level-reward',
  'daily-reward',
  'stake-log-reward',
  'profit-bounty',
  'stake-log-bounty',
  'nft-reward',
  'nft-level-bonus',
  'nft-profit-bounty',
  'rank-bonus',
  'stake',
  'stake-log',
  'ticket',
  'exchange',
  'bridge',
  'withdrawal',
  'earlier',
] as const

export type HistoryKind = (typeof historyKinds)[number]
