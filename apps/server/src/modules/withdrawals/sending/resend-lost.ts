import { sql } from 'kysely'
import { minReplacementFee, type Removed, removedAmong, resendRemoved, storeTransactions } from '../../../gateways/chain/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { nextNonce, type Sender } from './sender.ts'

/** Maximum nonces per round. */
const ROUND = 20

/** Completed payout whose transaction is no longer on the chain. */
interface LostSending extends Removed {
  requestId: bigint
  state: 'DONE' | 'FAILED' | 'CANCELLED'
  hashes: string[]
  raw: string
  gasPrice: string
  blockHash: string
}

/**
 * Checks completed payouts: below the lowest open nonce, the chain must have as many wallet transactions as the books. Fewer transactions
 * show a reorg deeper than finality (`resendRemoved`). For a payment that failed and was returned, the job sends a cancellation instead, so
 * that the money never arrives.
 * @param maySend false during an emergency pause: the job records the incident and sends nothing
 * @returns the number of sent transactions
 * @throws NodeUnavailable, NodeError
 */
export async function resendLost(sender: Sender, maySend: boolean): Promise<number> {
  const { lease, node, signer } = sender
  const lowest = await lease.read((db) => lowestOpen(db, sender))
  if (lowest === undefined) return 0
  const onChain = await node.nonceOf(signer.address)
  if (onChain >= lowest) return 0
  const lost = await lease.read((db) => endedBetween(db, sender, onChain, lowest))
  if (lost.length === 0 || (await removedAmong(sender, lost)).length < lost.length) return 0
  return resendRemoved(sender, lost, {
    kind: 'PAYOUT_GONE',
    lineOf: ({ hash, nonce, state }) => `${hash} (number ${nonce}, ${state})`,
    rawOf: async (one) => (one.state === 'FAILED' ? cancellationOf(sender, one) : one.raw),
    maySend,
  })
}

/** Returns the nonce below which all the wallet's payouts are complete, or undefined before its first use. */
async function lowestOpen(db: Db, sender: Sender): Promise<number | undefined> {
  const { rows } = await sql<{ lowest: number | null }>`
    select min(nonce)::int as lowest from payout_sending where chain_id = ${sender.rules.chainId} and wallet = ${sender.signer.address}
      and state in ('SIGNED', 'MINED')`.execute(db)
  return rows[0]?.lowest ?? (await nextNonce(db, sender))
}

async function endedBetween(db: Db, { rules, signer }: Sender, from: number, below: number): Promise<LostSending[]> {
  const { rows } = await sql<LostSending>`
    select s.request_id as "requestId", s.nonce::int as nonce, s.state, t.hash, array[t.hash] as hashes, t.raw, t.gas_price::text as "gasPrice", t.block::int as block,
      t.block_hash as "blockHash"
    from payout_sending s join signed_transaction t on t.request_id = s.request_id and t.block is not null
    where s.chain_id = ${rules.chainId} and s.wallet = ${signer.address} and s.nonce >= ${from} and s.nonce < ${below} and s.ended_at is not null
    order by s.nonce limit ${ROUND}`.execute(db)
  return rows
}

/** Signs and stores, once, an empty transaction with the nonce of a returned payment. */
async function cancellationOf({ lease, deps, signer, rules }: Sender, { requestId, nonce, gasPrice }: LostSending): Promise<string> {
  const known = await lease.read((db) =>
    sql<{ raw: string }>`
      select raw from signed_transaction where request_id = ${requestId} and purpose = 'CANCEL' order by gas_price desc limit 1`.execute(
      db,
    ),
  )
  const [stored] = known.rows
  if (stored !== undefined) return stored.raw
  const price = minReplacementFee(BigInt(gasPrice))
  const order = await signer.sign({ chainId: rules.chainId, from: signer.address, nonce, gasPrice: price })
  await lease.inTransaction((tx) =>
    storeTransactions(tx, [{ ...order, requestId, purpose: 'CANCEL', gasPrice: price, madeAt: deps.clock.now() }]),
  )
  return order.raw
}
