/** Returns a purchase's wire status: after its last month it is no longer active (RW-06). */
export const nftStatus = (status: string, { counted, times }: { counted: number; times: number }) =>
  status === 'ACTIVE' && counted >= times ? 'CLOSED' : status
