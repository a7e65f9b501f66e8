import type { ReplyOf, Route } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { away, EVERY_MS } from './watch.ts'

type RowOf<R extends Route> = ReplyOf<R> extends { data: readonly (infer Row)[] } ? Row : never
interface Answered<Row> {
  data: readonly Row[]
  meta?: { total?: number }
}

/**
 * A list that grows (`before`): so many pages as were asked for, read again together, so that none is missed or shown twice.
 * @param limit rows of a page
 */
export function usePages<R extends Route>(route: R, input: { params?: unknown; query?: Readonly<Record<string, unknown>> }, limit = 100) {
  const of = JSON.stringify([input.params, input.query])
  const [asked, setAsked] = useState({ of, pages: 1 })
  const pages = asked.of === of ? asked.pages : 1
  const read = useQuery({
    queryKey: [route.name, input.params ?? {}, input.query ?? {}, pages],
    queryFn: async ({ signal }) => {
      const rows: (RowOf<R> & { id: string })[] = []
      for (let page = 1; page <= pages; page += 1) {
        const before = rows.at(-1)?.id
        const query = { ...input.query, limit, ...(before === undefined ? {} : { before }) }
        const given = { ...input, query, signal, quiet: away() }
        const { data } = await (call as (asked: R, given: object) => Promise<{ data: ReplyOf<R> }>)(route, given)
        const answered = data as unknown as Answered<RowOf<R> & { id: string }>
        rows.push(...answered.data)
        if (answered.data.length < limit) return { rows, total: answered.meta?.total, hasMore: false }
      }
      return { rows, total: undefined, hasMore: true }
    },
    // The rows that are there stay while more of them come.
    placeholderData: (before, query) =>
      JSON.stringify([query?.queryKey[1], query?.queryKey[2]]) === JSON.stringify([input.params ?? {}, input.query ?? {}])
        ? before
        : undefined,
    refetchInterval: EVERY_MS,
    staleTime: 5_000,
  })
  return {
    ...read,
    rows: read.data?.rows ?? [],
    total: read.data?.total,
    hasMore: read.data?.hasMore === true,
    more: () => setAsked({ of, pages: pages + 1 }),
  }
}
