import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { SENDING_COLUMNS, type SendingColumns, type SendingProgress, withProgress } from '../sending/sending-progress.ts'

/** Maximum payouts in the list, newest first. */
const MAX_PAYOUTS = 20

/** Cold move or proceeds, in the staff view. */
export interface PlatformPayoutRow extends SendingProgress {
  id: string
  kind: 'cold-move' | 'proceeds'
  asset: 'usd' | 'coin'
  amount: Units
  address: string
  createdAt: Date
}

/** Returns the newest cold moves and proceeds. */
export async function readPlatformPayouts(db: Db, { config }: Pick<Deps, 'config'>): Promise<PlatformPayoutRow[]> {
  const { rows } = await sql<Omit<PlatformPayoutRow, keyof SendingProgress> & SendingColumns>`
    select m.public_id as id, m.kind, lower(m.asset) as asset, m.amount, m.address, m.created_at as "createdAt", ${SENDING_COLUMNS}
    from (select id, 'cold-move' as kind, public_id, asset, amount, address, created_at from cold_move
      union all select id, 'proceeds', public_id, 'USD', amount, address, created_at from proceeds_payout) m
    join payout_sending s on s.request_id = m.id
    order by m.id limit ${MAX_PAYOUTS}`.execute(db)
  return rows.map((row) => withProgress(config, row))
}
