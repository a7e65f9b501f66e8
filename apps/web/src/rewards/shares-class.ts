/** Reserves the shares' height, so that the list does not move when they load. */
const RESERVED_HEIGHT = { referral: 'min-h-10', level: 'min-h-30 sm:min-h-15' } as const

export const sharesClass = (list: string): string =>
  `mb-4 ${list === 'referral' || list === 'level' ? RESERVED_HEIGHT[list] : 'min-h-20 sm:min-h-10'} max-w-[92ch] text-sm text-pretty text-muted`

/** Reserves the height of five ranks, so that the list does not move when they load. */
export const ranksClass = 'mb-5 h-144 w-full rounded-xl sm:h-92'
