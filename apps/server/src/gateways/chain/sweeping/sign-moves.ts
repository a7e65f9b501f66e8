import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { NodeError } from '../rpc.ts'
import { chooseNonce, ForeignNonce } from '../sending/choose-nonce.ts'
import { storeTransactions } from '../sending/outbox.ts'
import { COIN_GAS, GAS_LIMIT, type SignedOrder, type TransferOrder } from '../sending/transfer-order.ts'
import type { BranchKey } from './branch-keys.ts'
import { gasGivenSince, nextOf, type OpenMove, type UnsweptBalance, unsweptBalances } from './moves.queries.ts'
import { recordAttempts, type TokenSweepAttempt } from './token-sweep-problems.queries.ts'
import type { Sweeper } from './sweeper.ts'

/** Maximum addresses per round. */
const ROUND = 20
/** Factor of gas sent to an address. The price may rise before the address is swept, or a replacement may need a higher fee. */
const GAS_FACTOR = 2n
/** Maximum gas transfers to an address per day. A node that hides balances could otherwise empty the gas wallet. */
const GIVEN_A_DAY = 2

/** Thrown if one address cannot be swept now. Staff see the message. Other addresses are still swept. */
export class NotSwept extends Error {}

export const NO_GAS_LEFT = 'the wallet that gives gas has too little native coin'

/**
 * Signs the next moves: token sweeps, and gas transfers to addresses with too little gas for a sweep. One transaction stores nonce, raw
 * transaction and swept transfers; the job sends only stored moves. A balance that cannot be swept delays no other balance.
 * @returns the number of signed moves
 * @throws NodeUnavailable; ForeignNonce after all other addresses, if other software used the gas wallet's key
 */
export async function signMoves(sweeper: Sweeper): Promise<number> {
  const { lease, node, rules, deps } = sweeper
  const failedSince = new Date(deps.clock.now().getTime() - DAY_MS)
  const due = await lease.read((db) => unsweptBalances(db, { ...rules, limit: ROUND, failedSince }))
  if (due.length === 0) return 0
  const gasPrice = await node.gasPrice()
  if (gasPrice > rules.maxGasPrice) {
    const delayed = due.map((balance) => ({ ...balance, problem: 'the gas price is above the maximum' }))
    await lease.inTransaction((tx) => recordAttempts(tx, rules.chainId, delayed, deps.clock.now()))
    return 0
  }
  let signed = 0
  let foreign: ForeignNonce | undefined
  const attempts: TokenSweepAttempt[] = []
  for (const balance of due) {
    try {
      if (await signMove(sweeper, balance, gasPrice)) attempts.push(balance)
      signed += 1
    } catch (error) {
      if (!(error instanceof NotSwept || error instanceof ForeignNonce || error instanceof NodeError)) throw error
      deps.log.error({ address: balance.address, token: balance.token }, error.message)
      attempts.push({ ...balance, problem: error.message })
      if (error instanceof ForeignNonce) foreign = error
    }
  }
  await lease.inTransaction((tx) => recordAttempts(tx, rules.chainId, attempts, deps.clock.now()))
  if (foreign !== undefined) throw foreign
  return signed
}

/** Signs a sweep, or gas for it. Returns true for a sweep. */
async function signMove(sweeper: Sweeper, balance: UnsweptBalance, gasPrice: bigint): Promise<boolean> {
  const { node, keys, rules } = sweeper
  const { address, keyIndex, token, amount } = balance
  if (keys.addressAt(keyIndex) !== address) throw new NotSwept('the address does not derive from the sweep key')
  if ((await node.tokenOf(token, address)) < amount) throw new NotSwept('the address holds less than arrived')
  const missing = GAS_LIMIT * gasPrice - (await node.nativeBalanceOf(address))
  if (missing > 0n) {
    await giveGas(sweeper, address, missing, gasPrice)
    return false
  }
  await sign(sweeper, keyIndex, { kind: 'SWEEP', address, to: rules.to, token, amount, gasPrice })
  return true
}

/**
 * Signs a gas transfer to an address, with a reserve for a higher gas price.
 * @param missing wei that the address needs
 * @throws NotSwept if the gas wallet has too little, or the address received gas twice in 24 hours; ForeignNonce
 */
export async function giveGas(sweeper: Sweeper, address: string, missing: bigint, gasPrice: bigint): Promise<void> {
  const { lease, node, keys, rules, deps } = sweeper
  const since = new Date(deps.clock.now().getTime() - DAY_MS)
  if ((await lease.read((db) => gasGivenSince(db, rules.chainId, address, since))) >= GIVEN_A_DAY)
    throw new NotSwept('the address received gas twice in 24 hours and has too little again')
  const amount = missing * GAS_FACTOR
  if ((await node.nativeBalanceOf(keys.addressAt('gas'))) < amount + COIN_GAS * gasPrice) throw new NotSwept(NO_GAS_LEFT)
  await sign(sweeper, 'gas', { kind: 'GAS', address, to: address, token: null, amount, gasPrice })
}

/**
 * Returns true if a move has a permitted target: tokens to the configured wallet, and limited gas to a branch address.
 */
export const isOurs = ({ keys, rules }: Sweeper, { kind, keyIndex, to, token, amount }: OpenMove): boolean =>
  kind === 'SWEEP'
    ? to === rules.to && token !== null
    : to === keys.addressAt(keyIndex) && token === null && amount <= GAS_LIMIT * rules.maxGasPrice * GAS_FACTOR

interface PlannedMove {
  kind: 'GAS' | 'SWEEP'
  address: string
  to: string
  token: string | null
  amount: bigint
  gasPrice: bigint
}

/** Returns the order's content of a move. */
export const contentOf = ({ to, token, amount }: Pick<PlannedMove, 'to' | 'token' | 'amount'>): Pick<TransferOrder, 'coin' | 'transfer'> =>
  token === null ? { coin: { to, amount } } : { transfer: { token, to, amount } }

async function sign(sweeper: Sweeper, keyIndex: BranchKey, planned: PlannedMove): Promise<void> {
  const { lease, keys, rules } = sweeper
  const from = keys.addressAt(keyIndex)
  const known = await lease.read((db) => nextOf(db, rules.chainId, from))
  const nonce = await chooseNonce(sweeper, from, known).catch((error: unknown) => {
    // Concerns only this address. Without the gas wallet, no address is swept.
    throw keyIndex !== 'gas' && error instanceof ForeignNonce ? new NotSwept(error.message) : error
  })
  const order = { chainId: rules.chainId, from, nonce, gasPrice: planned.gasPrice, ...contentOf(planned) }
  const signed = await keys.sign(keyIndex, order)
  await lease.inTransaction((tx) => store(tx, sweeper, { ...planned, wallet: from, nonce, signed }))
}

/** Stores a move. The nonce is unique per wallet, so that only one of two workers succeeds. */
async function store(
  tx: Tx,
  { deps, rules: { chainId } }: Sweeper,
  {
    kind,
    wallet,
    nonce,
    address,
    to,
    token,
    amount,
    gasPrice,
    signed,
  }: PlannedMove & { wallet: string; nonce: number; signed: SignedOrder },
): Promise<void> {
  const at = deps.clock.now()
  const inserted = await sql<{ id: bigint }>`
    insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at)
    values (${chainId}, ${kind}, ${wallet}, ${nonce}, ${address}, ${to}, ${token}, ${String(amount)}::numeric, 'SIGNED', ${at})
    on conflict do nothing returning id`.execute(tx)
  const id = inserted.rows[0]?.id
  if (id === undefined) throw new NotSwept(`nonce ${nonce} of ${wallet} is already used`)
  if (token !== null) {
    const booked = await sql<{ sum: string | null }>`
      with taken as (
        update chain_transfer set swept_by = ${id}
        where chain_id = ${chainId} and token = ${token} and address = ${address} and state = 'FINAL' and swept_by is null returning exact_amount)
      select sum(exact_amount)::text as sum from taken`.execute(tx)
    if (booked.rows[0]?.sum !== String(amount)) throw new NotSwept(`the balance of ${address} has changed`)
  }
  await storeTransactions(tx, [{ ...signed, moveId: id, gasPrice, madeAt: at }])
}
