import type { ReplyOf, Route } from '@tizara/contract'
import { type ListInput, useGrowingList } from './use-growing-list.ts'

type RowOf<R extends Route> = ReplyOf<R> extends { rows: readonly (infer Row)[] } ? Row : never

/** Reads a list whose reply carries its next cursor (`next`). */
export const useNextPages = <R extends Route>(route: R, input: ListInput) =>
  useGrowingList(route, input, (reply: ReplyOf<R>) => {
    const { rows, next } = reply as { rows: readonly RowOf<R>[]; next?: string }
    return { rows, before: next }
  })
