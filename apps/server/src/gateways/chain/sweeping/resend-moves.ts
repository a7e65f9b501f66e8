import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { recordIncident } from '../incidents.ts'
import { removedAmong } from '../sending/sources.ts'
import type { Sweeper } from './sweeper.ts'

/** Maximum completed moves checked per round. */
const ROUND = 100
/** Delay in ms before the first check of a completed move. At each later check the move is twice as old, until three days. */
export const FIRST_CHECK_MS = 60_000
const CHECKED_FOR_MS = 3 * DAY_MS

/** Completed move (done or failed), with the hashes of all its transactions. */
interface EndedMove {
  id: bigint
  kind: 'GAS' | 'SWEEP'
  state: 'DONE' | 'FAILED'
  wallet: string
  nonce: number
  block: number
  blockHash: string
  endedAt: Date
  mined: string
  raw: string
  hashes: string[]
}

/**
 * Checks completed moves for a reorg deeper than finality, about twelve times each within three days
 * (docs/decisions/0034-reorg-checks-of-payouts.md). A lost move blocks all later moves of the wallet. The job records an incident and sends
 * the stored transaction again, unchanged. A failed sweep is also sent again, because it can move tokens only to the platform's wallet.
 * @param maySend false during an emergency pause: the job records the incident and sends nothing
 * @returns the number of sent transactions
 * @throws NodeUnavailable, NodeError
 */
export async function resendLostMoves(sweeper: Sweeper, maySend: boolean): Promise<number> {
  const { lease, deps, node, rules } = sweeper
  const now = deps.clock.now()
  const due = await lease.read((db) => movesToCheck(db, rules.chainId, now))
  if (due.length === 0) return 0
  const lost = (await removedAmong(sweeper, due)).toSorted((one, other) => one.nonce - other.nonce)
  if (lost.length > 0) await recordLost(sweeper, lost)
  if (lost.length > 0 && maySend) await node.send(lost.map(({ raw }) => raw))
  const missing = new Set(lost.map(({ id }) => id))
  const later = due.map((move) => (missing.has(move.id) ? after(now, FIRST_CHECK_MS) : nextCheck(move, now)))
  await lease.inTransaction((tx) =>
    sql`
      update chain_move m set check_at = w.at from unnest(${due.map(({ id }) => id)}::bigint[], ${later}::timestamptz[]) w (id, at)
      where m.id = w.id`.execute(tx),
  )
  return maySend ? lost.length : 0
}

const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

function nextCheck({ endedAt }: EndedMove, now: Date): Date | null {
  const age = now.getTime() - endedAt.getTime()
  return age >= CHECKED_FOR_MS ? null : after(now, Math.max(age, FIRST_CHECK_MS))
}

async function movesToCheck(db: Db, chainId: number, now: Date): Promise<EndedMove[]> {
  const { rows } = await sql<EndedMove>`
    select m.id, m.kind, m.state, m.wallet, m.nonce::int as nonce, t.block::int as block, t.block_hash as "blockHash", m.ended_at as "endedAt",
      t.hash as mined, t.raw, array(select hash from signed_transaction o where o.move_id = m.id) as hashes
    from chain_move m join signed_transaction t on t.move_id = m.id and t.block is not null
    where m.chain_id = ${chainId} and m.check_at <= ${now} order by m.check_at, m.id limit ${ROUND}`.execute(db)
  return rows
}

/** Records the lost moves of a round as one incident. A move is recorded once. */
async function recordLost({ lease, deps, rules }: Sweeper, lost: readonly EndedMove[]): Promise<void> {
  deps.log.error({ chain: rules.chainId, lost: lost.map(({ mined }) => mined) }, 'final token sweeps disappeared from the chain')
  const lines = lost.map(
    ({ mined, kind, wallet, nonce, state }) => `${mined} (${kind === 'GAS' ? 'gas' : 'sweep'} by ${wallet}, number ${nonce}, ${state})`,
  )
  await lease.inTransaction(async (tx) => {
    const { rows } = await sql<{ line: string }>`
      select line from unnest(${lines}::text[]) line
      where not exists (select from chain_incident where kind = 'SWEEP_GONE' and transfers ? line)`.execute(tx)
    if (rows.length === 0) return
    const from = Math.min(...lost.map(({ block }) => block))
    await recordIncident(tx, { kind: 'SWEEP_GONE', at: deps.clock.now(), from, transfers: rows.map(({ line }) => line) })
  })
}
