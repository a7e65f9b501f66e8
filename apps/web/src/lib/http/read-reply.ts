import type { ReplyOf, Route } from '@tizara/contract'
import * as v from 'valibot'

function inside(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined
}

/** Finds a list's rows and meta at any depth. */
function findList(body: unknown): { data: unknown[]; meta: unknown } | undefined {
  for (let at = body, next; at !== undefined; at = next) {
    next = inside(at)
    if (Array.isArray(next)) {
      const pageMeta = typeof at === 'object' && at !== null && 'meta' in at ? at.meta : undefined
      return { data: next, meta: { total: next.length, page: 1, limit: Math.max(next.length, 1), ...(pageMeta as object | undefined) } }
    }
  }
  return undefined
}

/** Yields possible data locations: at the contract's depth, deeper, or one level higher (API-12). A list without meta gets one. */
function* candidatesIn(body: unknown): Generator {
  const data = inside(body)
  yield data
  for (let at = inside(data); at !== undefined; at = inside(at)) yield at
  const list = findList(body)
  if (list !== undefined) {
    yield list
    yield { data: list }
  }
  if (data !== undefined) yield { data }
  yield body
}

/**
 * Parses response data by the route's schema: amounts to units, times to Dates.
 * @returns undefined if no location matches
 */
export function readReply<R extends Route>(route: R, body: unknown): { data: ReplyOf<R> } | undefined {
  // The invoice service may nest its fields in `data` (API-97).
  const candidates = route.bare === true ? [inside(body), body] : candidatesIn(body)
  for (const candidate of candidates) {
    const read = v.safeParse(route.reply, candidate)
    if (read.success) return { data: read.output as ReplyOf<R> }
  }
  return undefined
}

/**
 * Parses a damaged list row by row.
 * @returns undefined if the response is not a list
 */
export async function readPartialReply<R extends Route>(route: R, body: unknown): Promise<{ data: ReplyOf<R> } | undefined> {
  const list = route.bare === true ? undefined : findList(body)
  if (list === undefined) return undefined
  const { readRows } = await import('./partial-rows.ts')
  return readRows(route.reply, list)
}
