/** Kind of a row of payout_sending: a member's payout, a move to cold storage, a returned payment, or proceeds of sales. */
export type SendingKind = 'PAYOUT' | 'COLD' | 'RETURN' | 'PROCEEDS'

/** Returns true if a row of payout_sending is a cold move. */
export const isColdMove = ({ kind }: { kind: SendingKind }): boolean => kind === 'COLD'
