import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Removed, resendRemoved } from '../sending/resend-removed.ts'
import { removedAmong } from '../sending/sources.ts'
import type { Sweeper } from './sweeper.ts'

/** Maximum completed moves checked per round. */
const ROUND = 100
/** Delay in ms before the first check of a completed move. At each later check the move is twice as old, until three days. */
export const FIRST_CHECK_MS = 60_000
const CHECKED_FOR_MS = 3 * DAY_MS

/** Completed move (done or failed), with the hashes of all its transactions. */
interface EndedMove extends Removed {
  id: bigint
  kind: 'GAS' | 'SWEEP'
  state: 'DONE' | 'FAILED'
  wallet: string
  blockHash: string
  endedAt: Date
  raw: string
  hashes: string[]
}

/**
 * Checks completed moves for a reorg deeper than finality, about twelve times each within three days
 * (`resendRemoved`). A failed sweep is also sent again, because it can move tokens only to the platform's wallet.
 * @param maySend false during an emergency pause: the job records the incident and sends nothing
 * @returns the number of sent transactions
 * @throws NodeUnavailable, NodeError
 */
export async function resendLostMoves(sweeper: Sweeper, maySend: boolean): Promise<number> {
  const { lease, deps, rules } = sweeper
  const now = deps.clock.now()
  const due = await lease.read((db) => movesToCheck(db, rules.chainId, now))
  if (due.length === 0) return 0
  const lost = await removedAmong(sweeper, due)
  const sent = await resendRemoved(sweeper, lost, {
    kind: 'SWEEP_GONE',
    lineOf: ({ hash, kind, wallet, nonce, state }) =>
      `${hash} (${kind === 'GAS' ? 'gas' : 'sweep'} by ${wallet}, number ${nonce}, ${state})`,
    rawOf: ({ raw }) => Promise.resolve(raw),
    maySend,
  })
  const missing = new Set(lost.map(({ id }) => id))
  const later = due.map((move) => (missing.has(move.id) ? after(now, FIRST_CHECK_MS) : nextCheck(move, now)))
  await lease.inTransaction((tx) =>
    sql`
      update chain_move m set check_at = w.at from unnest(${due.map(({ id }) => id)}::bigint[], ${later}::timestamptz[]) w (id, at)
      where m.id = w.id`.execute(tx),
  )
  return sent
}

const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

function nextCheck({ endedAt }: EndedMove, now: Date): Date | null {
  const age = now.getTime() - endedAt.getTime()
  return age >= CHECKED_FOR_MS ? null : after(now, Math.max(age, FIRST_CHECK_MS))
}

async function movesToCheck(db: Db, chainId: number, now: Date): Promise<EndedMove[]> {
  const { rows } = await sql<EndedMove>`
    select m.id, m.kind, m.state, m.wallet, m.nonce::int as nonce, t.block::int as block, t.block_hash as "blockHash", m.ended_at as "endedAt",
      t.hash, t.raw, array(select hash from signed_transaction o where o.move_id = m.id) as hashes
    from chain_move m join signed_transaction t on t.move_id = m.id and t.block is not null
    where m.chain_id = ${chainId} and m.check_at <= ${now} order by m.check_at, m.id limit ${ROUND}`.execute(db)
  return rows
}
