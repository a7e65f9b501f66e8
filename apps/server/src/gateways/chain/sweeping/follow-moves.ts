import { sql } from 'kysely'
import { isRecent } from '../../../platform/runtime/clock.ts'
import { newestFinal } from '../finality.ts'
import { AGAIN_MS, beats } from '../sending/transfer-order.ts'
import type { Mined } from '../sending/wallet-node.ts'
import { type OpenMove, openMoves } from './moves.queries.ts'
import { isOurs } from './sign-moves.ts'
import type { Sweeper } from './sweeper.ts'

/** Delay in ms before an unmined transaction is replaced with a higher fee. */
const STUCK_MS = 180_000

/**
 * Checks signed moves on the chain and completes the final ones. Tokens of a failed move wait for the next one.
 * @returns the number completed
 */
export async function followMoves(sweeper: Sweeper): Promise<number> {
  const { lease, node, rules } = sweeper
  const open = await lease.read((db) => openMoves(db, rules.chainId))
  if (open.length === 0) return 0
  const hashes = open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const receipts = new Map((await node.receipts(hashes)).map((mined, place) => [hashes[place] ?? '', mined]))
  const final = newestFinal(await node.head(), await node.finalized(), rules.confirmations)
  let ended = 0
  for (const move of open) {
    const made = move.transactions.find(({ hash }) => (receipts.get(hash) ?? null) !== null)
    const mined = made === undefined ? undefined : receipts.get(made.hash)
    if (made === undefined || mined === undefined || mined === null || mined.block > final) continue
    const [hash] = await node.blockHashes([mined.block])
    if (hash === mined.blockHash) ended += await end(sweeper, move, made.hash, mined)
  }
  return ended
}

async function end({ lease, deps }: Sweeper, move: OpenMove, hash: string, mined: Mined): Promise<number> {
  const arrived =
    move.token === null ||
    mined.transfers.some(
      ({ token, from, to, amount }) => token === move.token && from === move.wallet && to === move.to && amount === move.amount,
    )
  const state = mined.succeeded && arrived ? 'DONE' : 'FAILED'
  if (state === 'FAILED') deps.log.error({ move: move.id, block: mined.block }, 'a sweep failed on the chain')
  return lease.inTransaction(async (tx) => {
    const closed = await sql`
      update chain_move set state = ${state}, ended_at = ${deps.clock.now()}, mined_hash = ${hash}, gas_paid = ${String(mined.gasUsed * mined.gasPrice)}::numeric
      where id = ${move.id} and state = 'SIGNED'`.execute(tx)
    if (state === 'FAILED') await sql`update chain_transfer set swept_by = null where swept_by = ${move.id}`.execute(tx)
    return Number(closed.numAffectedRows ?? 0n)
  })
}

/** Replaces unmined transactions with a higher fee. It verifies the receiver, because a database writer could redirect it. */
export async function replaceMoves(sweeper: Sweeper): Promise<number> {
  const { lease, deps, node, keys, rules } = sweeper
  const before = deps.clock.now().getTime() - STUCK_MS
  const stuck = (await lease.read((db) => openMoves(db, rules.chainId))).filter(
    ({ transactions }) => (transactions.at(-1)?.madeAt.getTime() ?? before) < before,
  )
  if (stuck.length === 0) return 0
  const asked = await node.gasPrice()
  let made = 0
  for (const move of stuck) {
    const least = beats(move.transactions.at(-1)?.gasPrice ?? 0n)
    const gasPrice = least > asked ? least : asked
    if (gasPrice > rules.gasPriceMost) continue
    if (!isOurs(sweeper, move)) {
      deps.log.error({ move: move.id, to: move.to }, 'a move that is stored goes to where none goes: it is not signed again')
      continue
    }
    const { wallet: from, nonce, to, amount, token, kind, place } = move
    const what = token === null ? { coin: { to, amount } } : { transfer: { token, to, amount } }
    const { hash, raw } = await keys.sign(kind === 'GAS' ? 'gas' : place, { chainId: rules.chainId, from, nonce, gasPrice, ...what })
    await lease.inTransaction((tx) =>
      sql`
        insert into chain_move_transaction (hash, move_id, raw, gas_price, made_at)
        select ${hash}, id, ${raw}, ${String(gasPrice)}::numeric, ${deps.clock.now()} from chain_move where id = ${move.id} and state = 'SIGNED'
        on conflict (hash) do nothing`.execute(tx),
    )
    made += 1
  }
  return made
}

/** Sends signed, unmined transactions to the node: new ones at once, older ones again. A time-out proves nothing (fault F24). */
export async function sendMoves({ lease, deps, node, rules }: Sweeper): Promise<number> {
  const now = deps.clock.now()
  const due = (await lease.read((db) => openMoves(db, rules.chainId))).flatMap(({ transactions }) => {
    const last = transactions.at(-1)
    return last === undefined || (last.sentAt !== null && isRecent(last.sentAt, now, AGAIN_MS)) ? [] : [last]
  })
  if (due.length === 0) return 0
  const answers = await node.send(due.map(({ raw }) => raw))
  for (const [place, sent] of answers.entries())
    if (sent === 'no gas' || typeof sent === 'object') deps.log.warn({ hash: due[place]?.hash, sent }, 'the node does not take a sweep')
  await lease.inTransaction((tx) =>
    sql`update chain_move_transaction set sent_at = ${now} where hash = any(${due.map(({ hash }) => hash)}::text[])`.execute(tx),
  )
  return due.length
}
