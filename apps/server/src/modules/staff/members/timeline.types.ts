import type { TimelineKind } from '@tizara/contract/staff-member-pages'
import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'

/** A timeline row, with its position in the source. */
export interface TimelineRow {
  position: bigint
  at: Date
  kind: TimelineKind
  text: string
  detail?: string
  amount?: Units
  asset?: Asset
  isInternal?: true
  href?: string
  by?: bigint
}

/** Rows to read from a source: below a position, newest first. */
export interface TimelinePage {
  before: bigint | undefined
  limit: number
  kinds: ReadonlySet<TimelineKind>
}
