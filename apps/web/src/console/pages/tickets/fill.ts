import { PLACEHOLDER } from '@tizara/contract/staff-tickets'

/** Values for a saved reply's placeholders; absent if the ticket has none. */
export interface Gaps {
  firstName: string
  amount?: string | undefined
  receipt?: string | undefined
}

/** Fills a saved reply's placeholders as far as the ticket allows. */
export const fill = (text: string, gaps: Gaps): string =>
  text.replace(PLACEHOLDER, (gap, name: string) => ({ firstName: gaps.firstName, amount: gaps.amount, receipt: gaps.receipt })[name] ?? gap)

/** Returns the first open placeholder. A reply with one is not sent. */
export const openGap = (text: string): string | undefined => text.match(PLACEHOLDER)?.[0]
