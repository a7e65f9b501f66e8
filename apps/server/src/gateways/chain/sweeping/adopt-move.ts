import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { gasWalletOf } from '../deposit-address.ts'
import { readContent, type TransferContent } from '../sending/transfer-order.ts'
import type { WalletNode } from '../sending/wallet-node.ts'
import { nextOf } from './moves.queries.ts'
import { recordAttempts } from './sweep-problems.queries.ts'

/** Thrown if a transaction of the deposit branch is none that the product made, or cannot be recorded yet. */
class NotAdopted extends Error {}

/** Mined transaction of an invoice address or the gas wallet. */
interface Made {
  chainId: number
  hash: string
  from: string
  nonce: number
  raw: string
  gasPrice: bigint
  block: number
}

/**
 * Records a token sweep or gas transfer that this database does not have, for example after the restore of an old backup. The next round
 * completes the move from the chain.
 * @param xpub extended public key of the deposit branch
 * @param targets wallets that sweeps may go to, lower case
 * @returns undefined if the sender is neither an invoice address nor the gas wallet
 * @throws NotAdopted without changes; NodeUnavailable, NodeError
 */
export async function adoptMove(
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  deps: Deps,
  { node, chainId, hash, xpub, targets }: { node: WalletNode; chainId: number; hash: string; xpub: string; targets: readonly string[] },
): Promise<'sweep' | 'gas' | 'known' | undefined> {
  if ((await node.chainId()) !== chainId) throw new NotAdopted('the node belongs to another chain')
  const known = await node.transaction(hash)
  const [mined] = await node.receipts([hash])
  if (known === null || mined === null || mined === undefined) throw new NotAdopted('the chain has no such transaction in a block')
  const content = readContent(known.raw)
  const signedTransfer = { ...known, chainId, hash, block: mined.block }
  const isGas = known.from === gasWalletOf(xpub)
  return inTransaction(async (tx) => {
    if (!isGas && !(await isInvoiceAddress(tx, known.from))) return undefined
    const recorded = await sql`select from chain_move_transaction where hash = ${hash}`.execute(tx)
    if (recorded.rows.length > 0) return 'known'
    const move = isGas ? await gasMove(tx, content) : sweepMove(known.from, content, targets)
    // An invoice address begins at 0. The operator may have used the gas wallet before.
    const next = (await nextOf(tx, chainId, signedTransfer.from)) ?? (isGas ? signedTransfer.nonce : 0)
    if (signedTransfer.nonce > next)
      throw new NotAdopted(`its nonce is ${signedTransfer.nonce} of ${signedTransfer.from}, and ${next} comes first`)
    const id = signedTransfer.nonce < next ? await openMoveLike(tx, signedTransfer, move) : await storeMove(tx, deps, signedTransfer, move)
    await sql`
      insert into chain_move_transaction (hash, move_id, raw, gas_price, made_at)
      values (${hash}, ${id}, ${signedTransfer.raw}, ${String(signedTransfer.gasPrice)}::numeric, ${deps.clock.now()})`.execute(tx)
    return isGas ? 'gas' : 'sweep'
  })
}

/** Content of a move, in the columns of its row. */
interface Move {
  kind: 'GAS' | 'SWEEP'
  address: string
  to: string
  token: string | null
  amount: bigint
}

async function isInvoiceAddress(tx: Tx, address: string): Promise<boolean> {
  return (await sql`select from chain_address where address = ${address}`.execute(tx)).rows.length > 0
}

async function gasMove(tx: Tx, content: TransferContent | undefined): Promise<Move> {
  if (content?.kind !== 'COIN' || !(await isInvoiceAddress(tx, content.to)))
    throw new NotAdopted('it sent no gas to an invoice address: the key was used elsewhere')
  return { kind: 'GAS', address: content.to, to: content.to, token: null, amount: content.amount }
}

function sweepMove(from: string, content: TransferContent | undefined, targets: readonly string[]): Move {
  if (content?.kind !== 'TRANSFER') throw new NotAdopted('it is not a token sweep: the key was used elsewhere')
  const { token, to, amount } = content
  if (!targets.includes(to)) throw new NotAdopted(`it went to ${to}, which is not a sweep target: the key was used elsewhere`)
  return { kind: 'SWEEP', address: from, to, token, amount }
}

/** Returns the open move with this nonce, of which the transaction is a replacement. */
async function openMoveLike(tx: Tx, { chainId, from, nonce }: Made, { kind, to, token, amount }: Move): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from chain_move where chain_id = ${chainId} and wallet = ${from} and nonce = ${nonce} and state = 'SIGNED' and kind = ${kind}
      and to_address = ${to} and token is not distinct from ${token} and amount = ${String(amount)}::numeric for update`.execute(tx)
  const [open] = rows
  if (open === undefined) throw new NotAdopted(`nonce ${nonce} of ${from} is already final, or signed for another transaction`)
  return open.id
}

async function storeMove(tx: Tx, deps: Deps, { chainId, from, nonce, block }: Made, move: Move): Promise<bigint> {
  const { kind, address, to, token, amount } = move
  const { rows } = await sql<{ id: bigint }>`
    insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at)
    values (${chainId}, ${kind}, ${from}, ${nonce}, ${address}, ${to}, ${token}, ${String(amount)}::numeric, 'SIGNED', ${deps.clock.now()})
    on conflict do nothing returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new NotAdopted('the previous transfer of this address is not complete: try again in a minute')
  if (token === null) return id
  // Selects the oldest transfers with exactly the sweep's amount, because a sweep moves all transfers that were final at the time.
  const swept = await sql`
    with rising as (
      select id, sum(exact_amount) over (order by block, id) as sum from chain_transfer
      where chain_id = ${chainId} and token = ${token} and address = ${address} and state = 'FINAL' and swept_by is null and block <= ${block})
    update chain_transfer t set swept_by = ${id} from rising r
    where t.id = r.id and r.sum <= ${String(amount)}::numeric and exists (select from rising where sum = ${String(amount)}::numeric)`.execute(
    tx,
  )
  await recordAttempts(tx, chainId, [{ address, token }], deps.clock.now())
  if (swept.numAffectedRows === 0n)
    throw new NotAdopted('the payments that it swept are not final here yet: try again after the chain is read')
  return id
}
