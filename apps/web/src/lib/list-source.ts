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

/** The query of a page: only what is set is sent. */
export function listRequest(page: number, limit: number, range: DayRange): ListRequest {
  return { page, limit, ...(range.from !== '' && { from: range.from }), ...(range.to !== '' && { to: range.to }) }
}
