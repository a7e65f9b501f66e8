import { type ListQuery, MAX_ROWS, PAGE_SIZE } from '@tizara/contract'

/** A requested page of a list. */
export interface PageRange {
  /** 1-based (API-08). */
  page: number
  limit: number
  offset: number
  /** Inclusive start and exclusive end of the range of UTC days, where given. */
  since: Date | undefined
  before: Date | undefined
}

const DAY_MS = 86_400_000

/** Reads the query of a list (API-08, API-09): 25 rows a page, and at most 1,000 when neither page nor limit is given. */
export function readPageRange(query: ListQuery): PageRange {
  const page = query.page ?? 1
  const limit = query.limit ?? (query.page === undefined ? MAX_ROWS : PAGE_SIZE)
  const dayOf = (text: string | undefined, plusMs: number) =>
    text === undefined ? undefined : new Date(Date.parse(`${text}T00:00:00Z`) + plusMs)
  return { page, limit, offset: (page - 1) * limit, since: dayOf(query.from, 0), before: dayOf(query.to, DAY_MS) }
}

/** Position of a page in a list with open rows before decided ones. */
export interface OpenFirst {
  open: { limit: number; offset: number }
  done: { limit: number; offset: number }
}

/** Splits a page over two consecutive lists, so that each uses its own index. */
export function openFirst(pageRange: Pick<PageRange, 'limit' | 'offset'>, open: number): OpenFirst {
  const fromOpen = Math.max(0, Math.min(pageRange.limit, open - pageRange.offset))
  return {
    open: { limit: fromOpen, offset: pageRange.offset },
    done: { limit: pageRange.limit - fromOpen, offset: Math.max(0, pageRange.offset - open) },
  }
}

/**
 * Reads a page from the nearer end of the list, so that the last page costs as much as the first.
 * @param read reads rows in one order; ascending rows are reversed
 */
export async function readPage<Row>(
  pageRange: Pick<PageRange, 'offset' | 'limit'>,
  total: number,
  read: (order: 'asc' | 'desc', offset: number, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rest = total - pageRange.offset
  if (rest <= 0) return []
  if (pageRange.offset <= rest) return read('desc', pageRange.offset, pageRange.limit)
  const rows = await read('asc', Math.max(0, rest - pageRange.limit), Math.min(pageRange.limit, rest))
  return rows.toReversed()
}
