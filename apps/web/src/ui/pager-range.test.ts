import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageCount, pagerRange } from './pager-range.ts'

describe('pagerRange', () => {
  it.each([
    [1, 1, [1]],
    [1, 17, [1, 2, 3, null, 17]],
    [7, 17, [1, null, 5, 6, 7, 8, 9, null, 17]],
    [5, 17, [1, 2, 3, 4, 5, 6, 7, null, 17]],
    [4, 7, [1, 2, 3, 4, 5, 6, 7]],
    [17, 17, [1, null, 15, 16, 17]],
    [14, 17, [1, null, 12, 13, 14, 15, 16, 17]],
  ])('[CO-31] [LS-04] page %i of %i shows two pages on each side', (page, pages, shown) => {
    expect(pagerRange(page, pages)).toEqual(shown)
  })

  it('is ascending, includes the first, the last and two on each side, and never skips a single page', () => {
    assert(
      property(integer({ min: 1, max: 400 }), integer({ min: 1, max: 400 }), (a, b) => {
        const page = Math.min(a, b)
        const pages = Math.max(a, b)
        const shown = pagerRange(page, pages)
        const numbers = shown.filter((p) => p !== null)
        expect(numbers).toEqual([...new Set(numbers)].toSorted((x, y) => x - y))
        for (const p of [1, pages, page - 2, page - 1, page, page + 1, page + 2]) if (p >= 1 && p <= pages) expect(numbers).toContain(p)
        shown.forEach((p, i) => {
          if (p === null) expect((shown[i + 1] ?? 0) - (shown[i - 1] ?? 0)).toBeGreaterThan(2)
        })
      }),
    )
  })
})

describe('pageCount', () => {
  it('is at least one', () => {
    expect([pageCount(0, 25), pageCount(25, 25), pageCount(26, 25)]).toEqual([1, 1, 2])
  })
})
