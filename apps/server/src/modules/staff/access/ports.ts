import type { ReplyOf } from '@tizara/contract'
import type { staffHealth } from '@tizara/contract/staff-health'
import type { Receipt } from '@tizara/contract/wallets'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { MovingKind } from '../../wallets/index.ts'

/** What staff see of the product that only its wiring knows. */
export interface StaffPorts {
  /** What is missing or wrong around the product. */
  readHealth(db: Db, deps: Deps): Promise<ReplyOf<typeof staffHealth>>
  /** The receipt of a row of a member's own lists; undefined when they have no such row. */
  findReceipt(db: Db, memberId: bigint, row: { kind: string; id: string }): Promise<Receipt | undefined>
  /** Every kind of transfer there is. */
  transfers: Readonly<Record<string, MovingKind>>
}
