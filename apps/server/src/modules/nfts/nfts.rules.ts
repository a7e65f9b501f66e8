/** Returns a purchase's status in the API: it is no longer active after the last month (RW-06). */
export const nftStatus = (status: string, { processed, steps }: { processed: number; steps: number }) =>
  status === 'ACTIVE' && processed >= steps ? 'CLOSED' : status
