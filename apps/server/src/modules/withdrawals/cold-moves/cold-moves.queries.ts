import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { explorerLink } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Number of cold moves in the list. Open moves come first. */
const NEWEST = 20

/** Cold move in the staff view. */
export interface ColdMoveRow {
  id: string
  kind: 'cold-move' | 'proceeds'
  asset: 'usd' | 'coin'
  amount: Units
  address: string
  state: 'QUEUED' | 'SIGNED' | 'MINED' | 'DONE' | 'FAILED' | 'CANCELLED'
  createdAt: Date
  endedAt?: Date
  problem?: string
  /** True if a cancellation was requested and its result is not final on the chain. */
  cancelling: boolean
  txHash?: string
  txUrl?: string
}

/** Returns the newest cold moves and proceeds. */
export async function readColdMoves(db: Db, { config }: Pick<Deps, 'config'>): Promise<ColdMoveRow[]> {
  const { rows } = await sql<
    Omit<ColdMoveRow, 'endedAt' | 'problem' | 'txHash' | 'txUrl'> & { endedAt: Date | null; problem: string | null; hash: string | null }
  >`
    select m.public_id as id, m.kind, lower(m.asset) as asset, m.amount, m.address, s.state, m.created_at as "createdAt", s.ended_at as "endedAt",
      s.problem, s.cancel_asked_at is not null and s.ended_at is null as cancelling,
      (select t.hash from payout_transaction t where t.request_id = s.request_id order by t.block is null, t.made_at desc limit 1) as hash
    from (select id, 'cold-move' as kind, public_id, asset, amount, address, created_at from cold_move
      union all select id, 'proceeds', public_id, 'USD', amount, address, created_at from proceeds_payout) m
    join payout_sending s on s.request_id = m.id
    order by m.id limit ${NEWEST}`.execute(db)
  return rows.map(({ endedAt, problem, hash, ...row }) => ({
    ...row,
    ...(endedAt === null ? {} : { endedAt }),
    ...(problem === null ? {} : { problem }),
    ...(hash === null ? {} : { txHash: hash, ...linkOf(hash) }),
  }))

  function linkOf(hash: string): Pick<ColdMoveRow, 'txUrl'> {
    const { txUrl } = explorerLink(config, hash)
    return txUrl === undefined ? {} : { txUrl }
  }
}
