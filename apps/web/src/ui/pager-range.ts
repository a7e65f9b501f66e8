/** Pages shown on each side of the current one. */
const NEIGHBOR_PAGES = 2

/** Returns the page numbers to show: first, last and those around the current one. `null` is a gap. */
export function pagerRange(page: number, pages: number): Array<number | null> {
  const out: Array<number | null> = []
  for (let p = 1; p <= pages; p++) {
    if (p === 1 || p === pages || Math.abs(p - page) <= NEIGHBOR_PAGES) out.push(p)
    // A one-page gap shows the page number instead.
    else if (Math.abs(p - page) === NEIGHBOR_PAGES + 1 && (p === 2 || p === pages - 1)) out.push(p)
    else if (out.at(-1) !== null) out.push(null)
  }
  return out
}

/** Returns the page count for `total` rows; at least 1. */
export function pageCount(total: number, limit: number): number {
  return Math.max(1, Math.ceil(total / limit))
}
