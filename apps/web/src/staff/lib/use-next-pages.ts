import type { ReplyOf, Route } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { away, EVERY_MS } from './watch.ts'

type RowOf<R extends Route> = ReplyOf<R> extends { rows: readonly (infer Row)[] } ? Row : never

/** A list that says itself where it goes on (`next`): so many pages as were asked for, read again together. */
export function useNextPages<R extends Route>(route: R, input: { params: unknown; query?: Readonly<Record<string, unknown>> }) {
  const of = JSON.stringify([input.params, input.query])
  const [asked, setAsked] = useState({ of, pages: 1 })
  const pages = asked.of === of ? asked.pages : 1
  const read = useQuery({
    queryKey: [route.name, input.params, input.query ?? {}, pages],
    queryFn: async ({ signal }) => {
      const rows: RowOf<R>[] = []
      let first: ReplyOf<R> | undefined
      let before: string | undefined
      for (let page = 1; page <= pages; page += 1) {
        const given = { ...input, query: { ...input.query, ...(before === undefined ? {} : { before }) }, signal, quiet: away() }
        const { data } = await (call as (asked: R, given: object) => Promise<{ data: ReplyOf<R> }>)(route, given)
        const answered = data as unknown as { rows: readonly RowOf<R>[]; next?: string }
        first ??= data
        rows.push(...answered.rows)
        before = answered.next
        if (before === undefined) break
      }
      return { rows, first, hasMore: before !== undefined }
    },
    // The rows that are there stay while more of them come.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey.slice(1, 3)) === JSON.stringify([input.params, input.query ?? {}]) ? before : undefined,
    refetchInterval: EVERY_MS,
    staleTime: 5_000,
  })
  return {
    ...read,
    rows: read.data?.rows ?? [],
    first: read.data?.first,
    hasMore: read.data?.hasMore === true,
    more: () => setAsked({ of, pages: pages + 1 }),
  }
}
