import type { ReplyOf } from '@tizara/contract'
import type { staffHealth } from '@tizara/contract/staff-health'
import type { Receipt } from '@tizara/contract/wallets'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Data of other modules that the wiring passes to the staff module. */
export interface StaffPorts {
  /** Reads the health check's findings. */
  readHealth(db: Db, deps: Deps): Promise<ReplyOf<typeof staffHealth>>
  /** Finds the receipt for a row in a member's lists; undefined without such a row. */
  findReceipt(db: Db, memberId: bigint, row: { kind: string; id: string }): Promise<Receipt | undefined>
}
