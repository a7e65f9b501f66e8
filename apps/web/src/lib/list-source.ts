import { type Page, pageOf, type Route } from '@tizara/contract'
import type { GenericSchema } from 'valibot'
import { call } from './api.ts'

/** What a history asks for: a 1-based page, and an inclusive range of UTC days (API-08). */
export interface ListRequest {
  page: number
  limit: number
  from?: string
  to?: string
}

export type LoadPage<Row> = (query: ListRequest, signal: AbortSignal) => Promise<Page<Row>>

/** A list of the wire, its page at either depth (API-12). */
export type ListRoute<Row> = Route & { query: object; reply: GenericSchema<unknown, Page<Row> | { data: Page<Row> }> }

/** Fetches pages by the list's own call. */
export const loadFrom =
  <Row>(list: ListRoute<Row>): LoadPage<Row> =>
  async (query, signal) =>
    pageOf((await call(list, { query, signal })).data)

/** The range of days of a history; empty ends are open. */
export interface DayRange {
  from: string
  to: string
}

const DAY_MS = 86_400_000

/**
 * Whether rows lie clearly outside the days that were chosen: another server may not know the range.
 * @param moments of the rows, where they have one
 */
export function ignoresRange({ from, to }: DayRange, moments: readonly (Date | undefined)[]): boolean {
  const first = from === '' ? -Infinity : Date.parse(from) - DAY_MS
  const last = to === '' ? Infinity : Date.parse(to) + 2 * DAY_MS
  return moments.some((at) => at !== undefined && (at.getTime() < first || at.getTime() > last))
}

/** The query of a page: only what is set is sent. */
export function listRequest(page: number, limit: number, range: DayRange): ListRequest {
  return { page, limit, ...(range.from !== '' && { from: range.from }), ...(range.to !== '' && { to: range.to }) }
}
