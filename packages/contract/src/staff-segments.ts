import * as v from 'valibot'
import { line } from './fields.ts'

const wholeSum = v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'Must be a whole number')))

/** Criteria of a segment. A member matches if all given criteria do. */
export const segmentEntries = {
  /** Whole USD in the wallets: at least, and less than. */
  usdFrom: wholeSum,
  usdBelow: wholeSum,
  /** Whole coin in running stakes: at least. */
  stakedFrom: wholeSum,
  rank: v.optional(v.pipe(line(40), v.minLength(1, 'This field is required'))),
  /** Country, as the calling code of the phone number: `234`. */
  callingCode: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'Not a calling code'))),
  /** Days since the last request: at most, and more than. */
  seenWithin: v.optional(v.picklist(['1', '7', '30', '90'], 'Invalid period')),
  notSeenFor: v.optional(v.picklist(['7', '30', '90', '365'], 'Invalid period')),
  /** A link that nobody cleared, or payouts that are frozen or stopped. */
  sign: v.optional(v.picklist(['linked', 'frozen'], 'Invalid sign')),
}
