import type { Page } from '@tizara/contract'
import type { Units } from '@tizara/money'

/**
 * A sum over all rows of a list, without loading them where the server says it in `meta` (API-09, UI-DASH-28).
 * @param fromMeta the server's own sum, when it sends one
 */
export async function sumOfList<Row>(
  load: (query: { page?: number; limit?: number }) => Promise<Page<Row>>,
  fromMeta: (meta: Page<Row>['meta']) => Units | undefined,
  ofRow: (row: Row) => Units,
): Promise<Units> {
  const first = await load({ page: 1, limit: 1 })
  const told = fromMeta(first.meta)
  if (told !== undefined) return told
  const { data } = first.data.length >= first.meta.total ? first : await load({})
  return data.reduce((total, row) => total + ofRow(row), 0n)
}
