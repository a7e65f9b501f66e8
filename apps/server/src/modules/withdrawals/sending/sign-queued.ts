import { sql } from 'kysely'
import { GAS_LIMIT, NodeUnavailable, type SignedOrder, storeTransactions } from '../../../gateways/chain/index.ts'
import { assertNotStopped } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isApproved } from './approval-mac.ts'
import { isColdMove } from './sending-kind.ts'
import {
  NO_GAS,
  NO_PROCEEDS_ADDRESS,
  NO_SURPLUS,
  NOT_APPROVED,
  NOT_COLD,
  INSUFFICIENT_AFTER_QUEUE,
  NOT_SIGNED,
  recordSendingProblem,
  TOO_EXPENSIVE,
} from './sending-problem.ts'
import { type QueuedSending, queuedSendings, type SignedSending, signedSendings, signedSince } from './open-sendings.queries.ts'
import { nextNonce, type Sender } from './sender.ts'

const HOUR_MS = 3_600_000

/** Payout with its signature and nonce. */
interface SignedPayout {
  sending: QueuedSending
  nonce: number
  order: SignedOrder
}

/**
 * Signs the next queued payouts, within the maximum number of unmined payouts, the wallet's balance and the hourly limit. One transaction
 * stores nonce, raw transaction and state; the job sends only stored transactions.
 * @param nonce nonce of the first payout
 * @returns the number of signed payouts
 */
export async function signQueued(sender: Sender, nonce: number): Promise<number> {
  const { lease, node, rules } = sender
  const { waiting, open } = await lease.read(async (db) => {
    const flying = await signedSendings(db)
    return { waiting: await queuedSendings(db, Math.max(0, rules.inFlight - flying.length)), open: flying }
  })
  if (waiting.length === 0) return 0
  const gasPrice = await node.gasPrice()
  const payable = await affordable(sender, waiting, { gasPrice, open })
  const signed: SignedPayout[] = []
  for (const sending of payable) {
    const one = await sign(sender, sending, nonce + signed.length, gasPrice)
    if (one !== undefined) signed.push(one)
  }
  await lease.inTransaction((tx) => store(tx, sender, { nonce, signed, gasPrice }))
  return signed.length
}

/**
 * Selects payouts from the head of the queue that the wallet can pay. The first payout without enough money gets a problem and blocks later
 * payouts of its token.
 */
async function affordable(
  sender: Sender,
  wanted: readonly QueuedSending[],
  { gasPrice, open }: { gasPrice: bigint; open: readonly SignedSending[] },
): Promise<QueuedSending[]> {
  const { lease, deps, node, signer, rules } = sender
  const since = new Date(deps.clock.now().getTime() - HOUR_MS)
  const hour = await lease.read((db) => signedSince(db, since))
  const free = new Map<string, bigint>()
  const left = new Map<string, bigint>()
  for (const token of new Set(wanted.map((sending) => sending.token))) {
    free.set(token, (await node.tokenOf(token, signer.address)) - unminedOf(open, token))
    left.set(token, (rules.hourLimits.get(token) ?? 0n) - (hour.get(token) ?? 0n))
  }
  let coins = (await node.nativeBalanceOf(signer.address)) / GAS_LIMIT / (gasPrice === 0n ? 1n : gasPrice) - BigInt(open.length)
  const [payable, held] = [[] as QueuedSending[], new Set<string>()]
  for (const sending of wanted) {
    const [has, may] = [free.get(sending.token) ?? 0n, left.get(sending.token) ?? 0n]
    const problem = problemOf(sender, sending, { has, may, gasPrice, coins })
    if (problem !== undefined) await recordSendingProblem(lease, sending.requestId, problem.text)
    if (problem?.stops === true) held.add(sending.token)
    if (problem !== undefined || held.has(sending.token)) continue
    free.set(sending.token, has - sending.amount)
    // Cold moves do not count towards the hourly limit.
    if (!isColdMove(sending) && sending.kind !== 'PROCEEDS') left.set(sending.token, may - sending.amount)
    coins -= 1n
    payable.push(sending)
  }
  return payable
}

/**
 * Returns the reason why a payout cannot be signed, and whether it blocks later payouts of its token. A cold move is last in the queue. It
 * sends at most the surplus above the ceiling after all payouts. A payout that waits for money or for the hourly limit therefore blocks it.
 * Proceeds wait for what members' payouts leave over.
 */
function problemOf(
  { deps, rules }: Sender,
  sending: QueuedSending,
  { has, may, gasPrice, coins }: { has: bigint; may: bigint; gasPrice: bigint; coins: bigint },
): { text: string; stops?: true } | undefined {
  if (sending.chainId !== rules.chainId) return { text: 'approved for another chain' }
  if (!isApproved(deps.config, sending, sending.mac)) return { text: NOT_APPROVED }
  if (gasPrice > rules.maxGasPrice) return { text: TOO_EXPENSIVE }
  if (coins <= 0n) return { text: NO_GAS }
  if (sending.kind === 'PROCEEDS') {
    if (rules.proceedsAddresses?.includes(sending.to) !== true) return { text: NO_PROCEEDS_ADDRESS }
    return has < sending.amount ? { text: INSUFFICIENT_AFTER_QUEUE } : undefined
  }
  if (isColdMove(sending)) {
    if (rules.coldAddresses?.includes(sending.to) !== true) return { text: NOT_COLD }
    const ceiling = rules.ceilings?.get(sending.token)
    return ceiling === undefined || has - sending.amount < ceiling ? { text: NO_SURPLUS } : undefined
  }
  if (sending.amount > has) return { text: 'the hot wallet has too little of the token', stops: true }
  if (sending.amount > may) return { text: 'the hourly limit is reached', stops: true }
  return undefined
}

/** Sums the signed, unmined amounts of a token, which still have to leave the wallet. */
const unminedOf = (open: readonly SignedSending[], token: string): bigint =>
  open.reduce((sum, one) => (one.state === 'SIGNED' && one.token === token ? sum + one.amount : sum), 0n)

/**
 * Signs a payout. Returns undefined if the signer refuses the payout, for example its receiver; the next payout then uses the nonce.
 * @throws NodeUnavailable
 */
async function sign(
  { lease, deps, signer, rules }: Sender,
  sending: QueuedSending,
  nonce: number,
  gasPrice: bigint,
): Promise<SignedPayout | undefined> {
  const { token, to, amount } = sending
  try {
    const order = await signer.sign({ chainId: rules.chainId, from: signer.address, nonce, gasPrice, transfer: { token, to, amount } })
    return { sending, nonce, order }
  } catch (error) {
    if (error instanceof NodeUnavailable) throw error
    deps.log.error({ err: error, payout: sending.payoutId }, 'the signer does not sign a payout')
    await recordSendingProblem(lease, sending.requestId, NOT_SIGNED)
    return undefined
  }
}

/** Thrown if the queue or the wallet changed during signing. The signatures are discarded. */
class LineMoved extends Error {}

async function store(
  tx: Tx,
  sender: Sender,
  { nonce, signed, gasPrice }: { nonce: number; signed: readonly SignedPayout[]; gasPrice: bigint },
): Promise<void> {
  if (signed.length === 0) return
  await assertNotStopped(tx)
  const { deps, signer, rules } = sender
  const at = deps.clock.now()
  const moved = await sql`
    update hot_wallet set next_nonce = ${nonce + signed.length}
    where chain_id = ${rules.chainId} and address = ${signer.address} and next_nonce = ${nonce}`.execute(tx)
  if (moved.numAffectedRows !== 1n) throw new LineMoved(`the next nonce is ${await nextNonce(tx, sender)}, not ${nonce}`)
  const claimed = await sql`
    update payout_sending s set state = 'SIGNED', wallet = ${signer.address}, nonce = w.nonce, signed_at = ${at}, problem = null
    from unnest(${signed.map(({ sending }) => sending.requestId)}::bigint[], ${signed.map((one) => one.nonce)}::bigint[]) as w (request_id, nonce)
    where s.request_id = w.request_id and s.state = 'QUEUED'`.execute(tx)
  if (claimed.numAffectedRows !== BigInt(signed.length)) throw new LineMoved('a payout left the queue meanwhile')
  const transactions = signed.map(({ sending, order }) => ({ ...order, requestId: sending.requestId, gasPrice, madeAt: at }))
  if ((await storeTransactions(tx, transactions)) !== signed.length) throw new LineMoved('a transaction is stored for another payout')
}
