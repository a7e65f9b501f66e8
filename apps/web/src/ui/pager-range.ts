/** The page numbers to show: the first, the last, `around` on each side of the current; `null` is a gap. */
export function pagerRange(page: number, pages: number, around = 2): Array<number | null> {
  const out: Array<number | null> = []
  for (let p = 1; p <= pages; p++) {
    if (p === 1 || p === pages || Math.abs(p - page) <= around) out.push(p)
    // A gap of one page is written as that page.
    else if (Math.abs(p - page) === around + 1 && (p === 2 || p === pages - 1)) out.push(p)
    else if (out.at(-1) !== null) out.push(null)
  }
  return out
}

/** How many pages `total` rows fill; at least one. */
export function pageCount(total: number, limit: number): number {
  return Math.max(1, Math.ceil(total / limit))
}
