import { MAX_ROWS, type Page } from '@tizara/contract'

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

/**
 * Fetches a whole history, 1000 rows at a time. Rows that arrive while it runs push others to the next page: what was
 * already read is told by its id and not taken twice.
 * @param load fetches one page
 * @param range which days
 * @param options `onProgress` hears how many rows of how many are here; `signal` stops it
 * @throws what `load` throws
 */
export async function loadWholeList<Row extends { id?: string | undefined }>(
  load: LoadPage<Row>,
  range: DayRange,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<Row[]> {
  const rows: Row[] = []
  const seen = new Set<string>()
  let read = 0
  for (let page = 1; ; page += 1) {
    const { data, meta } = await load(listRequest(page, MAX_ROWS, range), signal)
    read += data.length
    for (const row of data) {
      if (row.id !== undefined && seen.has(row.id)) continue
      if (row.id !== undefined) seen.add(row.id)
      rows.push(row)
    }
    onProgress?.(Math.min(read, meta.total), meta.total)
    if (data.length === 0 || read >= meta.total) return rows
  }
}
