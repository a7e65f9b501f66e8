import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { COIN_GAS, GAS_LIMIT, type SignedOrder } from '../sending/transfer-order.ts'
import type { BranchPlace } from './branch-keys.ts'
import { gasGivenSince, type Lying, lyingAround, nextOf, type OpenMove } from './moves.queries.ts'
import type { Sweeper } from './sweeper.ts'

/** Maximum addresses per round. */
const ROUND = 20
/** Factor of gas sent to an address. The price may rise before its turn, or a replacement may need a higher fee. */
const SPARE = 2n
/** Maximum gas transfers to an address per day. A node that hides balances could otherwise empty the gas wallet. */
const GIVEN_A_DAY = 2

/** Thrown if a wallet has transactions unknown to this database: its key is used elsewhere, or a backup is too old. */
class ForeignMoves extends Error {}

/** Thrown if the balance changed before the move was stored. The next round retries. */
class Moved extends Error {}

/**
 * Signs the next moves: token sweeps, or first gas for them. One transaction stores nonce, raw transaction and swept
 * transfers, and the job sends only stored moves.
 * @returns the number signed
 */
export async function signMoves(sweeper: Sweeper): Promise<number> {
  const { lease, node, rules, deps } = sweeper
  const lying: Lying[] = []
  const failedSince = new Date(deps.clock.now().getTime() - DAY_MS)
  for (const [token, least] of rules.least)
    lying.push(
      ...(await lease.read((db) => lyingAround(db, { chainId: rules.chainId, token, least, limit: ROUND - lying.length, failedSince }))),
    )
  // Allows one move at a time per address.
  const due = lying.filter(({ address }, place) => lying.findIndex((one) => one.address === address) === place)
  if (due.length === 0) return 0
  const gasPrice = await node.gasPrice()
  if (gasPrice > rules.gasPriceMost) return 0
  let signed = 0
  for (const one of due) {
    if (sweeper.keys.addressAt(one.place) !== one.address) throw new ForeignMoves(`${one.address} is not of the key for sweeping`)
    const held = await node.tokenOf(one.token, one.address)
    if (held < one.amount) {
      deps.log.error({ address: one.address, token: one.token, held, known: one.amount }, 'an address holds less than what came')
      continue
    }
    const missing = GAS_LIMIT * gasPrice - (await node.coinOf(one.address))
    if (missing <= 0n) signed += await sweep(sweeper, one, gasPrice)
    else if ((await lease.read((db) => gasGivenSince(db, rules.chainId, one.address, failedSince))) >= GIVEN_A_DAY)
      deps.log.error({ address: one.address }, 'an address was given gas, and has too little again')
    else if (await hasGas(sweeper, missing * SPARE, gasPrice)) signed += await giveGas(sweeper, one, missing * SPARE, gasPrice)
    else break
  }
  return signed
}

/**
 * Returns true if a move has a permitted target: tokens to the configured wallet, and limited gas to a branch address.
 */
export const isOurs = ({ keys, rules }: Sweeper, { kind, place, to, token, amount }: OpenMove): boolean =>
  kind === 'SWEEP'
    ? to === rules.to && token !== null
    : to === keys.addressAt(place) && token === null && amount <= GAS_LIMIT * rules.gasPriceMost * SPARE

async function hasGas({ node, keys, deps }: Sweeper, amount: bigint, gasPrice: bigint): Promise<boolean> {
  const wallet = keys.addressAt('gas')
  const has = await node.coinOf(wallet)
  if (has >= amount + COIN_GAS * gasPrice) return true
  deps.log.error({ wallet, has }, "the wallet that gives gas has too little of the chain's own coin")
  return false
}

const giveGas = (sweeper: Sweeper, { address }: Lying, amount: bigint, gasPrice: bigint): Promise<number> =>
  sign(sweeper, 'gas', { kind: 'GAS', address, to: address, token: null, amount, gasPrice })

const sweep = (sweeper: Sweeper, { address, place, token, amount }: Lying, gasPrice: bigint): Promise<number> =>
  sign(sweeper, place, { kind: 'SWEEP', address, to: sweeper.rules.to, token, amount, gasPrice })

interface Planned {
  kind: 'GAS' | 'SWEEP'
  address: string
  to: string
  token: string | null
  amount: bigint
  gasPrice: bigint
}

async function sign(sweeper: Sweeper, place: BranchPlace, planned: Planned): Promise<number> {
  const { lease, node, keys, rules } = sweeper
  const { to, token, amount, gasPrice } = planned
  const from = keys.addressAt(place)
  const onChain = await node.nonceOf(from)
  const nonce = (await lease.read((db) => nextOf(db, rules.chainId, from))) ?? onChain
  if (onChain > nonce) throw new ForeignMoves(`the chain has ${onChain} transactions of ${from}, this database signed ${nonce}`)
  const what = token === null ? { coin: { to, amount } } : { transfer: { token, to, amount } }
  const signed = await keys.sign(place, { chainId: rules.chainId, from, nonce, gasPrice, ...what })
  await lease.inTransaction((tx) => store(tx, sweeper, { ...planned, wallet: from, nonce, signed }))
  return 1
}

/** Stores a move. The unique nonce per wallet lets only one of two workers succeed. */
async function store(
  tx: Tx,
  { deps, rules: { chainId } }: Sweeper,
  { kind, wallet, nonce, address, to, token, amount, gasPrice, signed }: Planned & { wallet: string; nonce: number; signed: SignedOrder },
): Promise<void> {
  const at = deps.clock.now()
  const made = await sql<{ id: bigint }>`
    insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at)
    values (${chainId}, ${kind}, ${wallet}, ${nonce}, ${address}, ${to}, ${token}, ${String(amount)}::numeric, 'SIGNED', ${at})
    on conflict do nothing returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Moved(`number ${nonce} of ${wallet} is taken`)
  if (token !== null) {
    const taken = await sql<{ sum: string | null }>`
      with taken as (
        update chain_transfer set swept_by = ${id}
        where chain_id = ${chainId} and token = ${token} and address = ${address} and state = 'FINAL' and swept_by is null returning exact_amount)
      select sum(exact_amount)::text as sum from taken`.execute(tx)
    if (taken.rows[0]?.sum !== String(amount)) throw new Moved(`${address} holds another amount by now`)
  }
  await sql`
    insert into chain_move_transaction (hash, move_id, raw, gas_price, made_at)
    values (${signed.hash}, ${id}, ${signed.raw}, ${String(gasPrice)}::numeric, ${at})`.execute(tx)
}
