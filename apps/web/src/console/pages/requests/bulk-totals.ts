import { isSimple, type QueueRow } from './queue.ts'

/** Maximum items approved at once. */
export const MAX_SELECTED = 25

export interface BulkTotals {
  included: QueueRow[]
  /** Reasons for excluded rows with counts: `2 flagged`. */
  excluded: readonly string[]
}

/** Returns why a row needs a single review; undefined when it is simple. */
function exclusionReason(row: QueueRow): string | undefined {
  if (isSimple(row)) return undefined
  if ((row.signs ?? []).length > 0) return 'flagged'
  return row.approvalsNeeded === 2 || (row.approvals ?? []).length > 0 ? 'for two people' : 'you cannot decide'
}

/** Selects the rows that can be approved together: simple ones of the first row's kind. */
export function bulkTotals(rows: readonly QueueRow[]): BulkTotals {
  const kind = rows.find(isSimple)?.kind
  const same = rows.filter((row) => isSimple(row) && row.kind === kind)
  const included = same.slice(0, MAX_SELECTED)
  const reasons = rows.flatMap((row) => {
    const why = exclusionReason(row) ?? (row.kind === kind ? undefined : 'of the other kind')
    return why === undefined ? [] : [why]
  })
  const counted = [...Map.groupBy(reasons, (why) => why)].map(([why, all]) => `${all.length} ${why}`)
  return {
    included,
    excluded: same.length > MAX_SELECTED ? [...counted, `${same.length - MAX_SELECTED} more than ${MAX_SELECTED}`] : counted,
  }
}
