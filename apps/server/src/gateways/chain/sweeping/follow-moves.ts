import { sql } from 'kysely'
import { finalBlockOf } from '../finality.ts'
import { NodeError } from '../rpc.ts'
import {
  type Found,
  isFinalEverywhere,
  minedAmong,
  receiptsOf,
  recordMined,
  recordSent,
  replacementPrice,
  sendDue,
  storeTransactions,
} from '../sending/outbox.ts'
import { COIN_GAS, GAS_LIMIT } from '../sending/transfer-order.ts'
import { addressesAwaitingGas, type OpenMove, openMoves } from './moves.queries.ts'
import { FIRST_CHECK_MS } from './resend-moves.ts'
import { giveGas, isOurs, NotSwept } from './sign-moves.ts'
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
 * Replaces unmined transactions if the market price is above their gas price; otherwise `sendMoves` sends the stored transactions again. If
 * the address of a sweep cannot pay the gas, the address gets gas first.
 * @returns the number of replacements and gas transfers
 */
export async function replaceMoves(sweeper: Sweeper): Promise<number> {
  const { lease, deps, node, rules } = sweeper
  const before = deps.clock.now().getTime() - STUCK_MS
  const stuck = (await lease.read((db) => openMoves(db, rules.chainId))).filter(
    ({ transactions }) => (transactions.at(-1)?.madeAt.getTime() ?? before) < before,
  )
  if (stuck.length === 0) return 0
  const market = await node.gasPrice()
  const awaitingGas = await lease.read((db) => addressesAwaitingGas(db, rules.chainId))
  let replaced = 0
  for (const move of stuck) {
    try {
      if (move.kind === 'GAS' || !awaitingGas.has(move.address)) replaced += await replaceMove(sweeper, move, market)
    } catch (error) {
      if (!(error instanceof NotSwept || error instanceof NodeError)) throw error
      deps.log.error({ move: move.id }, error.message)
    }
  }
  return replaced
}

/**
 * Signs a replacement of the move, or gas for the move. Verifies the receiver, because an attacker with database access could have changed
 * it.
 */
async function replaceMove(sweeper: Sweeper, move: OpenMove, market: bigint): Promise<number> {
  const { lease, deps, node, keys, rules } = sweeper
  const { wallet: from, nonce, to, amount, token, kind, keyIndex, transactions } = move
  if (!isOurs(sweeper, move)) throw new NotSwept('the stored transfer has a forbidden receiver and is not signed again')
  const last = transactions.at(-1)?.gasPrice ?? 0n
  const coins = await node.nativeBalanceOf(from)
  const canPay = (price: bigint) => coins >= (kind === 'GAS' ? amount + COIN_GAS * price : GAS_LIMIT * price)
  if (transactions.some(({ gasPrice }) => gasPrice >= market && canPay(gasPrice))) return 0
  const gasPrice = market > last ? replacementPrice(last, market) : last
  if (gasPrice > rules.maxGasPrice) return 0
  if (!canPay(gasPrice)) {
    if (kind === 'GAS') throw new NotSwept('the wallet that gives gas has too little native coin')
    await giveGas(sweeper, move.address, GAS_LIMIT * gasPrice - coins, market)
    return 1
  }
  const content = token === null ? { coin: { to, amount } } : { transfer: { token, to, amount } }
  const { hash, raw } = await keys.sign(kind === 'GAS' ? 'gas' : keyIndex, { chainId: rules.chainId, from, nonce, gasPrice, ...content })
  return lease.inTransaction(async (tx) => {
    const { rows } = await sql`select from chain_move where id = ${move.id} and state = 'SIGNED' for update`.execute(tx)
    return rows.length === 0 ? 0 : storeTransactions(tx, [{ hash, raw, gasPrice, moveId: move.id, madeAt: deps.clock.now() }])
  })
}

/**
 * Sends signed, unmined transactions to the node (`sendDue`). If an address cannot pay the newest transaction of a move, the cheaper ones are
 * sent.
 */
export async function sendMoves({ lease, deps, node, rules }: Sweeper): Promise<number> {
  const now = deps.clock.now()
  const results = await sendDue(node, await lease.read((db) => openMoves(db, rules.chainId)), now)
  if (results.length === 0) return 0
  for (const { transaction, sent } of results)
    if (sent === 'no gas' || typeof sent === 'object') deps.log.warn({ hash: transaction.hash, sent }, 'the node rejects a sweep')
  const cheaper = results.flatMap(({ owner, sent }) => (sent === 'no gas' ? owner.transactions.slice(0, -1).toReversed() : []))
  if (cheaper.length > 0) await node.send(cheaper.map(({ raw }) => raw))
  await lease.inTransaction((tx) => recordSent(tx, results, now))
  return results.length
}
