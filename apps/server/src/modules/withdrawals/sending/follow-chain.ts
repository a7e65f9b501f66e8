import {
  finalBlockOf,
  ForeignNonce,
  type MinedResult,
  hasTransfer,
  type MinedTransaction,
  readResults,
  readSigned,
  recordMined,
  recordUnmined,
  sourcesOf,
  type StoredTransaction,
} from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isApproved } from './approval-mac.ts'
import { type SignedSending, signedSendings } from './open-sendings.queries.ts'
import { NO_TRANSFER, NONCE_TAKEN, NOT_APPROVED, recordSendingProblem, IMPOSSIBLE_RECEIPT, PART_ARRIVED } from './sending-problem.ts'
import { endFailed, completePaid, returnReplacedPayout } from './return-payout.ts'
import type { Sender } from './sender.ts'

/**
 * Checks signed payouts on the chain: mined, removed by a reorg, or final. Money returns only after a final failure or a final cancellation
 * that the second source confirms.
 * @returns the number of changed payouts
 * @throws ForeignNonce after all checks, if another transaction used a payout's nonce
 */
export async function followChain(sender: Sender): Promise<number> {
  const { lease, node } = sender
  const open = await lease.read(signedSendings)
  if (open.length === 0) return 0
  // Reads the nonce before the receipts, so that a transaction mined in between has a receipt.
  const nextOnChain = await node.nonceOf(sender.signer.address)
  let moved = 0
  let stolen: number | undefined
  for (const { owner: sending, found, isFinal } of await readResults(sender, open, sender.rules.confirmations)) {
    if (found === 'odd') {
      await recordSendingProblem(lease, sending.requestId, IMPOSSIBLE_RECEIPT)
      continue
    }
    if (found === undefined && isTaken(sender, sending, nextOnChain)) {
      if (mayEndFailed(sending) && (await isNonceFinallyUsed(sender, sending))) {
        moved += await refundIfUnchanged(sender, sending, (tx) => returnReplacedPayout(tx, sender.deps, sending))
        continue
      }
      if (!(await isStolen(sender, sending))) continue
      await recordSendingProblem(lease, sending.requestId, NONCE_TAKEN)
      stolen = sending.nonce
      continue
    }
    if (found === undefined) {
      moved += await unmine(lease, sending)
      continue
    }
    moved += await recordMinedSending(sender, sending, found)
    if (await isFinal()) moved += await end(sender, sending, found)
  }
  if (stolen !== undefined)
    throw new ForeignNonce(`the key of the hot wallet was used elsewhere: this database did not sign nonce ${stolen}`)
  return moved
}

/**
 * Returns true if two people decided it, or the transaction that used the nonce is one of ours. A cold move owes no member anything, and a
 * returned payment can be returned again.
 */
const mayEndFailed = ({ answer, kind, takenBy }: SignedSending): boolean => answer === 'GIVE_BACK' || kind !== 'PAYOUT' || takenBy !== null

/** Returns true if another transaction used the nonce. False for a payout mined before, because it may return. */
const isTaken = ({ signer }: Sender, { state, wallet, nonce }: SignedSending, nextOnChain: number): boolean =>
  state === 'SIGNED' && wallet === signer.address && nonce < nextOnChain

/**
 * Returns true if the nonce is finally used and no source knows a mined transaction of this payout. No transaction of the payout can then
 * be mined later.
 */
async function isNonceFinallyUsed(sender: Sender, { wallet, nonce, transactions }: SignedSending): Promise<boolean> {
  const hashes = transactions.map(({ hash }) => hash)
  for (const source of sourcesOf(sender))
    if ((await source.nonceOf(wallet, await finalBlockOf(source, sender.rules.confirmations))) <= nonce) return false
  return !(await hasReceipt(sender, hashes))
}

/**
 * Returns true if another transaction used the nonce at a final depth. A missing receipt alone is no proof, because a node may lack the
 * receipt of a mined transaction. So no source may have a receipt, and the node must not know the transaction.
 */
async function isStolen(sender: Sender, { wallet, nonce, transactions }: SignedSending): Promise<boolean> {
  if ((await sender.node.nonceOf(wallet, await finalBlockOf(sender.node, sender.rules.confirmations))) <= nonce) return false
  const hashes = transactions.map(({ hash }) => hash)
  if (await hasReceipt(sender, hashes)) return false
  for (const hash of hashes) if ((await sender.node.transaction(hash)) !== null) return false
  return true
}

async function hasReceipt(sender: Sender, hashes: readonly string[]): Promise<boolean> {
  for (const source of sourcesOf(sender)) if ((await source.receipts(hashes)).some((receipt) => receipt !== null)) return true
  return false
}

/** Sends a payment again, unchanged, after a reorganisation unmined it. */
async function unmine(lease: Lease, { requestId, state }: SignedSending): Promise<number> {
  if (state !== 'MINED') return 0
  await lease.inTransaction(async (tx) => {
    await tx.updateTable('payout_sending').set({ state: 'SIGNED' }).where('request_id', '=', requestId).execute()
    await recordUnmined(tx, requestId)
    await tx.updateTable('payout_request').set({ tx_hash: null }).where('id', '=', requestId).execute()
  })
  return 1
}

async function recordMinedSending({ lease }: Sender, sending: SignedSending, found: MinedResult): Promise<number> {
  return lease.inTransaction(async (tx) => {
    if (!(await recordMined(tx, { requestId: sending.requestId }, found))) return 0
    await tx.updateTable('payout_sending').set({ state: 'MINED', problem: null }).where('request_id', '=', sending.requestId).execute()
    const { purpose, hash } = found.transaction
    if (purpose === 'PAYMENT') await tx.updateTable('payout_request').set({ tx_hash: hash }).where('id', '=', sending.requestId).execute()
    return 1
  })
}

async function end(sender: Sender, sending: SignedSending, { transaction, mined }: MinedResult): Promise<number> {
  const { lease, deps } = sender
  const outcome = { requestId: sending.requestId, hash: transaction.hash }
  const failed = (state: 'FAILED' | 'CANCELLED') => refundIfUnchanged(sender, sending, (tx) => endFailed(tx, deps, { ...outcome, state }))
  // Checks arrival first, regardless of the row's purpose, because arrived money is paid.
  if (hasTransfer(mined, sending)) return lease.inTransaction((tx) => completePaid(tx, deps, outcome))
  if (transaction.purpose === 'CANCEL') return failed('CANCELLED')
  if (!mined.succeeded) return failed('FAILED')
  if (sending.answer === 'ARRIVED') return lease.inTransaction((tx) => completePaid(tx, deps, outcome))
  // Money that reached the receiver cannot be returned as well, whatever staff decided.
  if (receivedIn(sending, mined) > 0n) {
    if (sending.kind !== 'PAYOUT') return lease.inTransaction((tx) => completePaid(tx, deps, outcome))
    await recordSendingProblem(lease, sending.requestId, PART_ARRIVED)
    return 0
  }
  if (mayEndFailed(sending)) return failed('FAILED')
  await recordSendingProblem(lease, sending.requestId, NO_TRANSFER)
  return 0
}

/** Returns money only if the payout still matches its request and approval. After an edit, the arrived amount may differ. */
async function refundIfUnchanged({ lease, deps }: Sender, sending: SignedSending, give: (tx: Tx) => Promise<number>): Promise<number> {
  try {
    const isWhole = isApproved(deps.config, sending, sending.mac) && sending.transactions.every((made) => isOwn(sending, made))
    if (isWhole) return await lease.inTransaction(give)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'PAYOUT_CHANGED')) throw error
  }
  await recordSendingProblem(lease, sending.requestId, NOT_APPROVED)
  return 0
}

/** Returns true if the wallet signed this transaction with the payout's nonce. Other transactions are no evidence about the payout. */
function isOwn({ wallet, nonce }: SignedSending, { hash, raw }: StoredTransaction): boolean {
  try {
    const signed = readSigned(raw)
    return signed.hash === hash && signed.from === wallet && signed.nonce === nonce
  } catch {
    // Not a valid transaction.
    return false
  }
}

/** Sums the transfers of the payout's token to its receiver, by any sender. A token with fees pays another amount than ordered. */
const receivedIn = ({ token, to }: SignedSending, { succeeded, transfers }: MinedTransaction): bigint =>
  succeeded ? transfers.reduce((sum, made) => (made.token === token && made.to === to ? sum + made.amount : sum), 0n) : 0n
