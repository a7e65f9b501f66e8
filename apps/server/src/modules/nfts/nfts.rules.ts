/** Returns a purchase's status in the API: it is no longer active after the last month (RW-06). */
export const nftStatus = (status: string, { counted, times }: { counted: number; times: number }) =>
  status === 'ACTIVE' && counted >= times ? 'CLOSED' : status
