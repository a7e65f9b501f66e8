import { sql } from 'kysely'
import type { WalletNode } from '../../../gateways/chain/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Thrown if a transaction matches no queued payout. */
class NotAdopted extends Error {}

/**
 * Records a hot wallet payment unknown to this database, for example after restoring an old backup. The matching queued
 * payout takes over the transaction; otherwise the server would pay it again.
 * @param hash transaction hash; adopt transactions in the wallet's order
 * @returns the payout's public id
 * @throws NotAdopted without changes; NodeAway, NodeRefused
 */
export async function adoptPaid(
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  deps: Deps,
  { node, chainId, hash }: { node: WalletNode; chainId: number; hash: string },
): Promise<string> {
  if ((await node.chainId()) !== chainId) throw new NotAdopted('the node is one of another chain')
  const known = await node.transaction(hash)
  const [mined] = await node.receipts([hash])
  if (known === null || mined === null || mined === undefined) throw new NotAdopted('the chain has no such transaction in a block')
  const [made] = mined.transfers.filter(({ from }) => from === known.from)
  if (!mined.succeeded || made === undefined) throw new NotAdopted('it paid nothing')
  return inTransaction(async (tx) => {
    const moved = await sql`
      update hot_wallet set next_nonce = next_nonce + 1
      where chain_id = ${chainId} and address = ${known.from} and next_nonce = ${known.nonce}`.execute(tx)
    if (moved.numAffectedRows !== 1n)
      throw new NotAdopted(`it is number ${known.nonce} of ${known.from}, which is not the next one that this database lacks`)
    const at = deps.clock.now()
    const taken = await sql<{ requestId: bigint; payoutId: string }>`
      update payout_sending s set state = 'SIGNED', wallet = ${known.from}, nonce = ${known.nonce}, signed_at = ${at}, problem = null
      from payout_request p where p.id = s.request_id and s.request_id = (
        select request_id from payout_sending where state = 'QUEUED' and chain_id = ${chainId} and token = ${made.token}
          and to_address = ${made.to} and exact_amount = ${made.amount.toString()}::numeric order by request_id limit 1 for update)
      returning s.request_id as "requestId", p.public_id as "payoutId"`.execute(tx)
    const [payout] = taken.rows
    if (payout === undefined) throw new NotAdopted('no payout in the line is what it paid')
    await tx
      .insertInto('payout_transaction')
      .values({ hash, request_id: payout.requestId, purpose: 'PAYMENT', raw: known.raw, gas_price: known.gasPrice.toString(), made_at: at })
      .execute()
    return payout.payoutId
  })
}
