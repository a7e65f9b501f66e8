import type { ReplyOf, Route } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { away, EVERY_MS } from './watch.ts'

export interface ListInput {
  params?: unknown
  query?: Readonly<Record<string, unknown>>
}

/** Rows of a reply and the cursor of the next page; undefined at the end. */
export type ReadPage<R extends Route, Row> = (reply: ReplyOf<R>) => { rows: readonly Row[]; before: string | undefined }

/** Reads a list that grows by `before` cursors. All loaded pages are read again together, so no row is missed or duplicated. */
export function useGrowingList<R extends Route, Row>(route: R, { params = {}, query = {} }: ListInput, turn: ReadPage<R, Row>) {
  const requestKey = JSON.stringify([params, query])
  const [requested, setRequested] = useState({ requestKey, pages: 1 })
  const pages = requested.requestKey === requestKey ? requested.pages : 1
  const { data, ...read } = useQuery({
    queryKey: [route.name, params, query, pages],
    queryFn: async ({ signal }) => {
      const rows: Row[] = []
      const replies: ReplyOf<R>[] = []
      let before: string | undefined
      do {
        const input = { params, query: before === undefined ? query : { ...query, before }, signal, quiet: away() }
        const { data: reply } = await (call as (target: R, input: object) => Promise<{ data: ReplyOf<R> }>)(route, input)
        const page = turn(reply)
        replies.push(reply)
        rows.push(...page.rows)
        before = page.before
      } while (before !== undefined && replies.length < pages)
      return { rows, first: replies[0], last: replies.at(-1), hasMore: before !== undefined }
    },
    // Keeps loaded rows visible while the next page loads.
    placeholderData: (held, before) => (JSON.stringify(before?.queryKey.slice(1, 3)) === requestKey ? held : undefined),
    refetchInterval: EVERY_MS,
    staleTime: 5_000,
  })
  return {
    ...read,
    data,
    rows: data?.rows ?? [],
    first: data?.first,
    last: data?.last,
    hasMore: data?.hasMore === true,
    more: () => setRequested({ requestKey, pages: pages + 1 }),
  }
}
