import type { ReplyOf } from '@tizara/contract'
import type { staffLedgerEntries } from '@tizara/contract/staff-ledger'

export type Entry = ReplyOf<typeof staffLedgerEntries>['data'][number]

/** Entries of one kind that one reward run wrote one after the other, newest first; others stand alone. */
export interface Fold {
  /** The newest of them. */
  key: string
  rows: readonly [Entry, ...Entry[]]
  sum: bigint
  /** More of it may stand among rows that are not loaded. */
  open: boolean
}

/** Fewer are read as quickly one by one. */
const FEWEST = 3

/** Folds what a run paid to many into one row: a pool's month would be nothing else. */
export function foldEntries(rows: readonly Entry[], hasMore: boolean): Fold[] {
  const groups: [Entry, ...Entry[]][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    const isNext = last !== undefined && row.run !== undefined && row.run === last[0].run && row.kind === last[0].kind
    if (isNext) last.push(row)
    else groups.push([row])
  }
  return groups.flatMap((group, place) => {
    const open = hasMore && place === groups.length - 1
    const apart = group.length < FEWEST ? group.map((row): [Entry] => [row]) : [group]
    return apart.map((part) => ({
      key: part[0].id,
      rows: part,
      sum: part.reduce((sum, row) => sum + row.amount, 0n),
      open: open && part.length > 1,
    }))
  })
}

/** What came and went in some rows. */
export function sumsOf(rows: readonly Entry[]): { in: bigint; out: bigint } {
  const sum = (side: (amount: bigint) => boolean) => rows.reduce((all, { amount }) => (side(amount) ? all + amount : all), 0n)
  return { in: sum((amount) => amount > 0n), out: sum((amount) => amount < 0n) }
}
