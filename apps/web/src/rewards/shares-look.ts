/** Look and room of the line with the shares: the list below does not move when its text comes. */
export const SHARES_LOOK = 'mb-4 min-h-20 max-w-[75ch] text-sm text-muted sm:min-h-10'
