import { sql } from 'kysely'
import { ForeignNonce } from '../sending/choose-nonce.ts'
import { type MinedResult, hasTransfer, readResults, recordMined, sendDue } from '../sending/outbox.ts'
import { type NotReplaced, replaceUnmined } from '../sending/replace-unmined.ts'
import { type OpenMove, openMoves } from './moves.queries.ts'
import { FIRST_CHECK_MS } from './resend-moves.ts'
import { contentOf, giveGas, isOurs, NO_GAS_LEFT, NotSwept } from './sign-moves.ts'
import type { Sweeper } from './sweeper.ts'

/** Delay in ms before an unmined transaction is replaced with a higher fee. */
const STUCK_MS = 180_000

/**
 * Checks signed moves on the chain and closes those in final blocks. A later sweep moves the tokens of a failed one.
 * @returns the number of closed moves
 */
export async function followMoves(sweeper: Sweeper): Promise<number> {
  const { lease, rules } = sweeper
  const open = await lease.read((db) => openMoves(db, rules.chainId))
  if (open.length === 0) return 0
  let completed = 0
  for (const { owner: move, found, isFinal } of await readResults(sweeper, open, rules.confirmations)) {
    if (found === undefined || found === 'odd' || !(await isFinal())) continue
    completed += await end(sweeper, move, found)
  }
  return completed
}

async function end({ lease, deps }: Sweeper, move: OpenMove, found: MinedResult): Promise<number> {
  const { mined } = found
  const { token } = move
  const state = (token === null ? mined.succeeded : hasTransfer(mined, { ...move, token })) ? 'DONE' : 'FAILED'
  if (state === 'FAILED') deps.log.error({ move: move.id, block: mined.block }, 'a sweep failed on the chain')
  const [at, checkAt] = [deps.clock.now(), new Date(deps.clock.now().getTime() + FIRST_CHECK_MS)]
  return lease.inTransaction(async (tx) => {
    const closed = await sql`
      update chain_move set state = ${state}, ended_at = ${at}, check_at = ${checkAt} where id = ${move.id} and state = 'SIGNED'`.execute(
      tx,
    )
    if (closed.numAffectedRows !== 1n) return 0
    await recordMined(tx, { moveId: move.id }, found)
    if (state === 'FAILED') await sql`update chain_transfer set swept_by = null where swept_by = ${move.id}`.execute(tx)
    return 1
  })
}

/**
 * Replaces unmined moves (`replaceUnmined`). If the address of a sweep cannot pay the gas, the address gets gas first.
 * @returns the number of replacements and gas transfers
 * @throws NodeUnavailable, NodeError
 */
export async function replaceMoves(sweeper: Sweeper): Promise<number> {
  const { lease, deps, keys, rules } = sweeper
  const moves = await lease.read((db) => openMoves(db, rules.chainId))
  const awaitingGas = new Set(moves.flatMap(({ kind, address }) => (kind === 'GAS' ? [address] : [])))
  const open = moves.filter(({ kind, address }) => kind === 'GAS' || !awaitingGas.has(address))
  return replaceUnmined(sweeper, open, {
    stuckMs: STUCK_MS,
    ownerOf: ({ id }) => ({ moveId: id }),
    purposeOf: () => 'PAYMENT',
    // An attacker with database access could have changed the receiver.
    contentOf: (move) => {
      const isPermitted = isOurs(sweeper, move)
      if (!isPermitted) deps.log.error({ move: move.id }, 'the stored transfer has a forbidden receiver and is not signed again')
      return Promise.resolve(isPermitted ? contentOf(move) : undefined)
    },
    sign: ({ kind, keyIndex }, order) => keys.sign(kind === 'GAS' ? 'gas' : keyIndex, order),
    lock: async (tx, { id }) =>
      (await sql`select from chain_move where id = ${id} and state = 'SIGNED' for update`.execute(tx)).rows.length > 0,
    onNotReplaced: (move, reason) => onNotReplaced(sweeper, move, reason),
  })
}

async function onNotReplaced(sweeper: Sweeper, { id, kind, address }: OpenMove, reason: NotReplaced): Promise<number> {
  const { log } = sweeper.deps
  if (reason.why !== 'no gas') return 0
  try {
    if (kind === 'GAS') throw new NotSwept(NO_GAS_LEFT)
    await giveGas(sweeper, address, reason.missing, reason.market)
    return 1
  } catch (error) {
    if (!(error instanceof NotSwept || error instanceof ForeignNonce)) throw error
    log.error({ move: id }, error.message)
    return 0
  }
}

/** Sends signed, unmined transactions to the node (`sendDue`). */
export async function sendMoves(sweeper: Sweeper): Promise<number> {
  const open = await sweeper.lease.read((db) => openMoves(db, sweeper.rules.chainId))
  return sendDue(sweeper, open, (_, results) => {
    for (const { transaction, sent } of results)
      if (sent === 'no gas' || typeof sent === 'object') sweeper.deps.log.warn({ hash: transaction.hash, sent }, 'the node rejects a sweep')
  })
}
