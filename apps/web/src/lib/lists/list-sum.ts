import type { Page } from '@tizara/contract'
import type { Units } from '@tizara/money'

/**
 * Sums all list rows. It avoids loading them if the server sends the sum in `meta` (API-09, UI-DASH-28).
 * @param fromMeta the server's sum, if sent
 */
export async function sumOfList<Row>(
  load: (query: { page?: number; limit?: number }) => Promise<Page<Row>>,
  fromMeta: (meta: Page<Row>['meta']) => Units | undefined,
  ofRow: (row: Row) => Units,
): Promise<Units> {
  const first = await load({ page: 1, limit: 1 })
  const stated = fromMeta(first.meta)
  if (stated !== undefined) return stated
  const { data } = first.data.length >= first.meta.total ? first : await load({})
  return data.reduce((total, row) => total + ofRow(row), 0n)
}
