/** The status of a purchase on the wire: after its last month it is no longer active (RW-06). */
export const nftStatus = (status: string, { counted, times }: { counted: number; times: number }) =>
  status === 'ACTIVE' && counted >= times ? 'CLOSED' : status
