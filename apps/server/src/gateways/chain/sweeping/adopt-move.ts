import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { gasWalletOf } from '../deposit-address.ts'
import { type AdoptedTransaction, findTransaction, type FoundTransaction, NotAdopted, storeTransactions } from '../sending/outbox.ts'
import type { TransferContent } from '../sending/transfer-order.ts'
import { nextOf } from './moves.queries.ts'
import { recordAttempts } from './token-sweep-problems.queries.ts'

/**
 * Records a mined or pending token sweep or gas transfer that this database does not have, for example after the restore of an old backup.
 * The worker then follows, sends and replaces it like a move of its own.
 * @param xpub extended public key of the deposit branch
 * @param targets wallets that sweeps may go to, lower case
 * @returns undefined if the sender is neither an invoice address nor the gas wallet
 * @throws NotAdopted without changes; NodeUnavailable, NodeError
 */
export async function adoptMove(
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  deps: Deps,
  { xpub, targets, ...adopted }: AdoptedTransaction & { xpub: string; targets: readonly string[] },
): Promise<'sweep' | 'gas' | 'known' | undefined> {
  const found = await findTransaction(adopted)
  const { chainId, hash, from, nonce, mined, content } = found
  const isGas = from === gasWalletOf(xpub)
  // A pending transaction waits for all lower nonces.
  const first = mined === null ? await adopted.node.nonceOf(from) : nonce
  return inTransaction(async (tx) => {
    if (!isGas && !(await isInvoiceAddress(tx, from))) return undefined
    const recorded = await sql`select from signed_transaction where hash = ${hash}`.execute(tx)
    if (recorded.rows.length > 0) return 'known'
    const move = isGas ? await gasMove(tx, content) : sweepMove(from, content, targets)
    const next = (await nextOf(tx, chainId, from)) ?? first
    if (nonce > next) throw new NotAdopted(`its nonce is ${nonce} of ${from}, and ${next} comes first`)
    const id = nonce < next ? await moveWithLowerNonce(tx, deps, found, move) : await storeMove(tx, deps, found, move)
    await storeTransactions(tx, [{ hash, raw: found.raw, gasPrice: found.gasPrice, moveId: id, madeAt: deps.clock.now() }])
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

/**
 * Returns the move of a transaction whose nonce is below the next one. Either it replaced an open move with this nonce, or the lost
 * database made it and it was mined instead of the open move. The open move then gets the content of the transaction, because the move's
 * own transaction can never be mined. If no move has the nonce, this database made its first move of the wallet after the lost one, and
 * the lost one is stored.
 */
async function moveWithLowerNonce(tx: Tx, deps: Deps, made: FoundTransaction, move: Move): Promise<bigint> {
  const { chainId, from, nonce, isFinal } = made
  const { kind, address, to, token, amount } = move
  const { rows } = await sql<{ id: bigint; isOpen: boolean; same: boolean }>`
    select id, state = 'SIGNED' and kind = ${kind} as "isOpen",
      to_address = ${to} and token is not distinct from ${token} and amount = ${String(amount)}::numeric as same
    from chain_move where chain_id = ${chainId} and wallet = ${from} and nonce = ${nonce} for update`.execute(tx)
  const [open] = rows
  if (open?.isOpen === false) throw new NotAdopted(`nonce ${nonce} of ${from} is already final`)
  if (open?.same) return open.id
  if (!isFinal)
    throw new NotAdopted(
      `another transaction is signed for nonce ${nonce} of ${from} or a later one, and this one is not final yet: try again later`,
    )
  if (open === undefined) return storeMove(tx, deps, made, move)
  const written = await sql`
    update chain_move m set address = ${address}, to_address = ${to}, token = ${token}, amount = ${String(amount)}::numeric
    where id = ${open.id} and not exists (select from chain_move o
      where o.chain_id = ${chainId} and o.address = ${address} and o.kind = ${kind} and o.state = 'SIGNED' and o.id <> m.id)`.execute(tx)
  if (written.numAffectedRows === 0n) throw new NotAdopted('the previous transfer of this address is not complete: try again in a minute')
  await sql`update chain_transfer set swept_by = null where swept_by = ${open.id}`.execute(tx)
  if (token !== null) await markSwept(tx, deps, made, { ...move, id: open.id, token })
  return open.id
}

async function storeMove(tx: Tx, deps: Deps, made: FoundTransaction, move: Move): Promise<bigint> {
  const { chainId, from, nonce } = made
  const { kind, address, to, token, amount } = move
  const { rows } = await sql<{ id: bigint }>`
    insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at)
    values (${chainId}, ${kind}, ${from}, ${nonce}, ${address}, ${to}, ${token}, ${String(amount)}::numeric, 'SIGNED', ${deps.clock.now()})
    on conflict do nothing returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new NotAdopted('the previous transfer of this address is not complete: try again in a minute')
  if (token !== null) await markSwept(tx, deps, made, { ...move, id, token })
  return id
}

/**
 * Marks the oldest transfers with exactly the sweep's amount as swept, because a sweep moves all transfers that were final when it was
 * signed. A mined sweep moved none of a later block.
 */
async function markSwept(
  tx: Tx,
  deps: Deps,
  { chainId, mined }: FoundTransaction,
  { id, address, token, amount }: Move & { id: bigint; token: string },
): Promise<void> {
  const swept = await sql`
    with rising as (
      select id, sum(exact_amount) over (order by block, id) as sum from chain_transfer
      where chain_id = ${chainId} and token = ${token} and address = ${address} and state = 'FINAL' and swept_by is null
        and block <= coalesce(${mined?.block ?? null}::bigint, block))
    update chain_transfer t set swept_by = ${id} from rising r
    where t.id = r.id and r.sum <= ${String(amount)}::numeric and exists (select from rising where sum = ${String(amount)}::numeric)`.execute(
    tx,
  )
  await recordAttempts(tx, chainId, [{ address, token }], deps.clock.now())
  if (swept.numAffectedRows === 0n)
    throw new NotAdopted('the payments that it swept are not final here yet: try again after the chain is read')
}
