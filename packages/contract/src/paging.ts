import * as v from 'valibot'
import { amount, day } from './fields.ts'
import { type Route, memberRead } from './route.ts'

/** Rows per page in every list (CO-30, LS-03). */
export const PAGE_SIZE = 25
/** Maximum rows for a list without page and limit (API-09). */
export const MAX_ROWS = 1000

const wholeNumber = (max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'Must be a whole number'),
    v.transform(Number),
    v.minValue(1, 'Must be at least 1'),
    v.maxValue(max, `Must be at most ${max}`),
  )

/** Query for every list (API-08): 1-based page, limit, and an inclusive range of UTC days. */
export const listQueryEntries = {
  page: v.optional(wholeNumber(1_000_000)),
  limit: v.optional(wholeNumber(MAX_ROWS)),
  from: v.optional(day),
  to: v.optional(day),
}

/** {@link listQueryEntries} as a schema. */
export const listQuery = v.object(listQueryEntries)

export type ListQuery = v.InferOutput<typeof listQuery>

/** Page metadata (EN-21, API-09). `sum` covers all the member's rows, in units. */
export const meta = v.object({
  total: v.number(),
  page: v.number(),
  limit: v.number(),
  sum: v.optional(amount),
  sumByStatus: v.optional(v.record(v.string(), amount)),
})

/** List response data: rows and meta (API-11). */
export const listOf = <const S extends v.GenericSchema>(row: S) => v.object({ data: v.array(row), meta })

/** One page with parsed rows. */
export interface Page<Row> {
  data: Row[]
  meta: v.InferOutput<typeof meta>
}

/** Response of a list nested one level deeper, at `data.data.data` of the body (API-12, API-71, API-72). */
export const deepListOf = <const S extends v.GenericSchema>(row: S) => v.object({ data: listOf(row) })

/** Defines a list route for a member's rows. */
/*#__NO_SIDE_EFFECTS__*/
export function ownList<const List extends Pick<Route, 'name' | 'path' | 'history' | 'summary' | 'reply'>>(list: List) {
  return memberRead({ query: listQuery, ...list })
}

/** Returns a list response's page at either depth (API-12). */
export function pageOf<Row>(reply: Page<Row> | { data: Page<Row> }): Page<Row> {
  return 'meta' in reply ? reply : reply.data
}
