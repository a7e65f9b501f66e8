import { sql } from 'kysely'
import { finalBlockOf } from '../finality.ts'
import { ForeignNonce } from '../sending/choose-nonce.ts'
import { type Found, isFinalEverywhere, minedAmong, receiptsOf, recordMined, recordSent, sendDue } from '../sending/outbox.ts'
import { type NotReplaced, replaceUnmined } from '../sending/replace-unmined.ts'
import { addressesAwaitingGas, type OpenMove, openMoves } from './moves.queries.ts'
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
  const { lease, node, rules } = sweeper
  const open = await lease.read((db) => openMoves(db, rules.chainId))
  if (open.length === 0) return 0
  const receipts = await receiptsOf(node, open)
  const final = await finalBlockOf(node, rules.confirmations)
  let completed = 0
  for (const move of open) {
    const found = minedAmong(move.transactions, receipts)
    if (found === 'odd') sweeper.deps.log.error({ move: move.id }, 'the node reports more gas than signed')
    if (found === undefined || found === 'odd' || found.mined.block > final) continue
    if (await isFinalEverywhere(sweeper, found, rules.confirmations)) completed += await end(sweeper, move, found)
  }
  return completed
}

async function end({ lease, deps }: Sweeper, move: OpenMove, found: Found): Promise<number> {
  const { mined } = found
  const arrived =
    move.token === null ||
    mined.transfers.some(
      ({ token, from, to, amount }) => token === move.token && from === move.wallet && to === move.to && amount === move.amount,
    )
  const state = mined.succeeded && arrived ? 'DONE' : 'FAILED'
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
  const { moves, awaitingGas } = await lease.read(async (db) => ({
    moves: await openMoves(db, rules.chainId),
    awaitingGas: await addressesAwaitingGas(db, rules.chainId),
  }))
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
  if (reason.why === 'not signed') log.error({ err: reason.error, move: id }, 'the signer does not sign a replacement')
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
export async function sendMoves({ lease, deps, node, rules }: Sweeper): Promise<number> {
  const now = deps.clock.now()
  const results = await sendDue(node, await lease.read((db) => openMoves(db, rules.chainId)), now)
  if (results.length === 0) return 0
  for (const { transaction, sent } of results)
    if (sent === 'no gas' || typeof sent === 'object') deps.log.warn({ hash: transaction.hash, sent }, 'the node rejects a sweep')
  await lease.inTransaction((tx) => recordSent(tx, results, now))
  return results.length
}
