/** Returns true if a row of payout_sending is a cold move. Their ids are negative, those of payouts positive. */
export const isColdMove = ({ requestId }: { requestId: bigint }): boolean => requestId < 0n
