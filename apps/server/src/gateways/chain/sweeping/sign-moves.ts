import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { COIN_GAS, GAS_LIMIT, type SignedOrder } from '../sending/transfer-order.ts'
import type { BranchPlace } from './branch-keys.ts'
import { gasGivenSince, type Lying, lyingAround, nextOf, type OpenMove } from './moves.queries.ts'
import type { Sweeper } from './sweeper.ts'

/** Addresses of one round. */
const ROUND = 20
/** How much more gas than needed an address gets: the price may rise before its turn, and a fee may have to be raised. */
const SPARE = 2n
/** How often an address gets gas within a day: a node that hides what it has would have the wallet for gas emptied. */
const GIVEN_A_DAY = 2

/** Thrown where a wallet made transactions that this database does not know: its key is used elsewhere, or a backup is too old. */
class ForeignMoves extends Error {}

/** Thrown where what was signed for has changed meanwhile; the next round looks again. */
class Moved extends Error {}

/**
 * Signs the next moves: tokens away from where enough of them lies, or first gas to there. Number, raw transaction and what it
 * takes are stored in one transaction or none of them, and nothing that was not stored is ever sent.
 * @returns how many
 */
export async function signMoves(sweeper: Sweeper): Promise<number> {
  const { lease, node, rules, deps } = sweeper
  const lying: Lying[] = []
  const failedSince = new Date(deps.clock.now().getTime() - DAY_MS)
  for (const [token, least] of rules.least)
    lying.push(
      ...(await lease.read((db) => lyingAround(db, { chainId: rules.chainId, token, least, limit: ROUND - lying.length, failedSince }))),
    )
  // One at a time for each address.
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

/** Whether a move goes where moves go: tokens to where all of them go, and gas, no more than is given, to an address of the branch. */
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

/** The unique number of each wallet lets one of two workers do it. */
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
