import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

interface CursorPage<Row> {
  rows: readonly Row[]
  /** Cursor of the next page; absent at the end. */
  next?: string | undefined
}

/**
 * Reads the requested pages of a list together, so that a refresh misses and duplicates no row.
 * @param name the call's name, which the change stream uses
 * @param filters a change starts again at the first page
 * @returns the first page with the rows of all pages, and `more`, which requests another page
 */
export function useCursorPages<Row, Page extends CursorPage<Row>>(
  name: string,
  filters: Readonly<Record<string, string | undefined>>,
  load: (cursor: { before?: string }, signal: AbortSignal) => Promise<Page & CursorPage<Row>>,
) {
  const filterKey = JSON.stringify(filters)
  const [requested, setRequested] = useState({ filterKey, pages: 1 })
  const pages = requested.filterKey === filterKey ? requested.pages : 1
  const read = useQuery({
    queryKey: [name, filters, pages],
    queryFn: async ({ signal }) => {
      const first = await load({}, signal)
      const rows = [...first.rows]
      let { next } = first
      for (let page = 1; page < pages && next !== undefined; page += 1) {
        const more = await load({ before: next }, signal)
        rows.push(...more.rows)
        next = more.next
      }
      return { ...first, rows, next }
    },
    placeholderData: (held, before) => (JSON.stringify(before?.queryKey[1]) === filterKey ? held : undefined),
  })
  return { ...read, more: () => setRequested({ filterKey, pages: pages + 1 }) }
}
