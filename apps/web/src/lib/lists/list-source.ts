import { type Page, pageOf, type Route } from '@tizara/contract'
import type { GenericSchema } from 'valibot'
import { call } from '../http/api.ts'

/** History page request: 1-based page and inclusive range of UTC days (API-08). */
export interface ListRequest {
  page: number
  limit: number
  from?: string
  to?: string
}

export type LoadPage<Row> = (query: ListRequest, signal: AbortSignal) => Promise<Page<Row>>

/** List route, with its page at either depth (API-12). */
export type ListRoute<Row> = Route & { query: object; reply: GenericSchema<unknown, Page<Row> | { data: Page<Row> }> }

/** Loads pages with the list's route. */
export const loadFrom =
  <Row>(list: ListRoute<Row>): LoadPage<Row> =>
  async (query, signal) =>
    pageOf((await call(list, { query, signal })).data)

/** Day range; empty ends are open. */
export interface DayRange {
  from: string
  to: string
}

const DAY_MS = 86_400_000

/**
 * Returns true if rows are clearly outside the requested days: servers that implement only the specification may ignore them.
 * @param moments row times, if known
 */
export function ignoresRange({ from, to }: DayRange, moments: readonly (Date | undefined)[]): boolean {
  const first = from === '' ? -Infinity : Date.parse(from) - DAY_MS
  const last = to === '' ? Infinity : Date.parse(to) + 2 * DAY_MS
  return moments.some((at) => at !== undefined && (at.getTime() < first || at.getTime() > last))
}

/** Builds a page query with only the set fields. */
export function listRequest(page: number, limit: number, range: DayRange): ListRequest {
  return { page, limit, ...(range.from !== '' && { from: range.from }), ...(range.to !== '' && { to: range.to }) }
}
