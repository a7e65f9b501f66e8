import type { Mined, WalletNode } from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { type SignedSending, type SignedTransaction, signedSendings } from './open-sendings.queries.ts'
import { noteProblem } from './note-problem.ts'
import { endFailed, endPaid } from './return-payout.ts'
import { CONFIRMATIONS, ForeignNonce, type Sender } from './sender.ts'

/** What people read of a payout whose nonce is used, and none of whose transactions is in a block. */
const NONCE_TAKEN = 'its nonce was used by a transaction that is not ours'

/** A transaction of a payout that is in a block. */
interface Found {
  transaction: SignedTransaction
  mined: Mined
}

/**
 * Looks where signed payouts stand: in a block, out of one again after a reorganisation, or final at twelve confirmations.
 * Money comes back only for a payment that failed, or was beaten by our cancellation, that deep, and only where a second
 * source says the same.
 * @returns how many moved
 * @throws ForeignNonce once all were looked at, where a number of theirs was used by somebody else
 */
export async function followChain(sender: Sender): Promise<number> {
  const { lease, node } = sender
  const open = await lease.read((db) => signedSendings(db))
  if (open.length === 0) return 0
  // Before the receipts: what is mined between the two questions has its receipt then.
  const nextOnChain = await node.nonceOf(sender.signer.address)
  const receipts = await receiptsOf(node, open)
  const head = await node.head()
  let moved = 0
  let stolen: number | undefined
  for (const sending of open) {
    const found = foundOf(sending, receipts)
    if (found === undefined && isTaken(sender, sending, nextOnChain)) {
      await noteProblem(lease, sending.requestId, NONCE_TAKEN)
      stolen = sending.nonce
      continue
    }
    if (found === undefined) {
      moved += await unmine(lease, sending)
      continue
    }
    moved += await noteMined(sender, sending, found)
    if (head - found.mined.block + 1 >= CONFIRMATIONS && (await isCertain(sender, found))) moved += await end(sender, sending, found)
  }
  if (stolen !== undefined) throw new ForeignNonce(`the key of the hot wallet was used elsewhere: number ${stolen} is not ours`)
  return moved
}

/** Whether a number of ours is used, and by none of our transactions: not while one was in a block and may come back. */
const isTaken = ({ signer }: Sender, { state, wallet, nonce }: SignedSending, nextOnChain: number): boolean =>
  state === 'SIGNED' && wallet === signer.address && nonce < nextOnChain

async function receiptsOf(node: WalletNode, open: readonly SignedSending[]): Promise<Map<string, Mined | null>> {
  const hashes = open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const answers = await node.receipts(hashes)
  return new Map(hashes.map((hash, place) => [hash, answers[place] ?? null]))
}

function foundOf({ transactions }: SignedSending, receipts: Map<string, Mined | null>): Found | undefined {
  for (const transaction of transactions) {
    const mined = receipts.get(transaction.hash)
    if (mined !== undefined && mined !== null) return { transaction, mined }
  }
  return undefined
}

/** Whether a receipt is one of the chain that the node tells now, and a second source tells the same. */
async function isCertain({ node, witness }: Sender, { transaction, mined }: Found): Promise<boolean> {
  for (const source of witness === undefined ? [node] : [node, witness]) {
    const [receipt] = await source.receipts([transaction.hash])
    const [blockHash] = await source.blockHashes([mined.block])
    if (receipt === null || receipt === undefined) return false
    if (receipt.blockHash !== mined.blockHash || blockHash !== mined.blockHash || receipt.succeeded !== mined.succeeded) return false
  }
  return true
}

/** A payment that was in a block and is in none now goes out again, the very same. */
async function unmine(lease: Lease, { requestId, state }: SignedSending): Promise<number> {
  if (state !== 'MINED') return 0
  await lease.inTransaction(async (tx) => {
    await tx
      .updateTable('payout_sending')
      .set({ state: 'SIGNED' })
      .where('request_id', '=', requestId)
      .where('state', '=', 'MINED')
      .execute()
    await tx
      .updateTable('payout_transaction')
      .set({ block: null, block_hash: null, gas_used: null, gas_paid: null, sent_at: null })
      .where('request_id', '=', requestId)
      .execute()
    await tx.updateTable('payout_request').set({ tx_hash: null }).where('id', '=', requestId).execute()
  })
  return 1
}

async function noteMined({ lease }: Sender, sending: SignedSending, { transaction, mined }: Found): Promise<number> {
  return lease.inTransaction(async (tx) => {
    const known = await tx
      .updateTable('payout_transaction')
      .set(blockOf(mined))
      .where('hash', '=', transaction.hash)
      .where('block_hash', 'is distinct from', mined.blockHash)
      .executeTakeFirst()
    if (known.numUpdatedRows === 0n) return 0
    await tx.updateTable('payout_sending').set({ state: 'MINED', problem: null }).where('request_id', '=', sending.requestId).execute()
    if (transaction.purpose === 'PAYMENT')
      await tx.updateTable('payout_request').set({ tx_hash: transaction.hash }).where('id', '=', sending.requestId).execute()
    return 1
  })
}

async function end(sender: Sender, sending: SignedSending, { transaction, mined }: Found): Promise<number> {
  const { lease, deps } = sender
  const ended = { requestId: sending.requestId, hash: transaction.hash, block: blockOf(mined) }
  if (transaction.purpose === 'CANCEL') return lease.inTransaction((tx) => endFailed(tx, deps, { ...ended, state: 'CANCELLED' }))
  if (!mined.succeeded) return lease.inTransaction((tx) => endFailed(tx, deps, { ...ended, state: 'FAILED' }))
  if (arrived(sending, mined)) return lease.inTransaction((tx) => endPaid(tx, deps, ended))
  // A token that says yes and pays nothing: neither paid nor lost until people have looked.
  await noteProblem(lease, sending.requestId, 'the transaction succeeded without the transfer')
  return 0
}

const arrived = ({ token, to, amount, wallet }: SignedSending, { transfers }: Mined): boolean =>
  transfers.some((made) => made.token === token && made.from === wallet && made.to === to && made.amount === amount)

const blockOf = ({ block, blockHash, gasUsed, gasPrice }: Mined) => ({
  block: BigInt(block),
  block_hash: blockHash,
  gas_used: gasUsed,
  gas_paid: (gasUsed * gasPrice).toString(),
})
