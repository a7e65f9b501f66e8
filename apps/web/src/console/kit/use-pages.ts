import type { ReplyOf, Route } from '@tizara/contract'
import { type ListInput, useGrowingList } from './use-growing-list.ts'

type RowOf<R extends Route> = (ReplyOf<R> extends { data: readonly (infer Row)[] } ? Row : never) & { id: string }
interface PageReply<Row> {
  data: readonly Row[]
  meta?: { total?: number }
  /** Where a search ended that reads a part of the list at once. */
  searchedTo?: { id: string; at: Date }
}

/**
 * Reads a list that continues after its last row while pages are full.
 * @param limit rows per page
 */
export function usePages<R extends Route>(route: R, { params, query }: ListInput, limit = 100) {
  const list = useGrowingList(route, { params, query: { ...query, limit } }, (reply: ReplyOf<R>) => {
    const { data: rows, searchedTo } = reply as PageReply<RowOf<R>>
    return { rows, before: rows.length < limit ? searchedTo?.id : rows.at(-1)?.id }
  })
  return { ...list, total: list.hasMore ? undefined : (list.last as PageReply<RowOf<R>> | undefined)?.meta?.total }
}
