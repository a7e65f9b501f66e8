import type { Page } from '@tizara/contract'

/** What a history asks for: a 1-based page, and an inclusive range of UTC days (API-08). */
export interface ListRequest {
  page: number
  limit: number
  from?: string
  to?: string
}

/** Fetches one page of a history. */
export type LoadPage<Row> = (query: ListRequest, signal: AbortSignal) => Promise<Page<Row>>

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
