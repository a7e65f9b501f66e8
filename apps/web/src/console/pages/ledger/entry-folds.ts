import type { ReplyOf } from '@tizara/contract'
import type { staffLedgerEntries } from '@tizara/contract/staff-ledger'

export type Entry = ReplyOf<typeof staffLedgerEntries>['data'][number]

/** Consecutive entries of one kind by one reward run, newest first. Other entries stay single. */
export interface Fold {
  /** Key of the newest entry. */
  key: string
  rows: readonly [Entry, ...Entry[]]
  sum: bigint
  /** True if more entries may follow on unloaded pages. */
  open: boolean
}

/** Smallest group worth folding. */
const FEWEST = 3

/** Folds the payments of a run into one row. They would otherwise fill a pool's month. */
export function foldEntries(rows: readonly Entry[], hasMore: boolean): Fold[] {
  const groups: [Entry, ...Entry[]][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    const isNext = last !== undefined && row.run !== undefined && row.run === last[0].run && row.kind === last[0].kind
    if (isNext) last.push(row)
    else groups.push([row])
  }
  return groups.flatMap((group, index) => {
    const open = hasMore && index === groups.length - 1
    const apart = group.length < FEWEST ? group.map((row): [Entry] => [row]) : [group]
    return apart.map((part) => ({
      key: part[0].id,
      rows: part,
      sum: part.reduce((sum, row) => sum + row.amount, 0n),
      open: open && part.length > 1,
    }))
  })
}

/** Sums debits and credits of rows. */
export function sumsOf(rows: readonly Entry[]): { in: bigint; out: bigint } {
  const sum = (side: (amount: bigint) => boolean) => rows.reduce((all, { amount }) => (side(amount) ? all + amount : all), 0n)
  return { in: sum((amount) => amount > 0n), out: sum((amount) => amount < 0n) }
}
