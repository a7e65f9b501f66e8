import { PLACEHOLDER } from '@tizara/contract/staff-tickets'

/** What a saved reply may leave open; absent where this ticket has no such thing. */
export interface Gaps {
  firstName: string
  amount?: string | undefined
  receipt?: string | undefined
}

/** A saved reply with its gaps filled as far as this ticket can. */
export const fill = (text: string, gaps: Gaps): string =>
  text.replace(PLACEHOLDER, (gap, name: string) => ({ firstName: gaps.firstName, amount: gaps.amount, receipt: gaps.receipt })[name] ?? gap)

/** The first gap that is still open; an answer with one is not sent. */
export const openGap = (text: string): string | undefined => text.match(PLACEHOLDER)?.[0]
