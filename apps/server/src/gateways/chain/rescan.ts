import type { Tx } from '../../platform/db/database.ts'
import type { ChainSettings } from './chain.jobs.ts'
import { deleteSums, saveBlocks, moveCursor, moveFinal } from './chain-cursor.ts'
import { beginRecovery, newestGeneration } from './address-generations.ts'
import { generationAt } from './deposit-address.ts'
import { chainNode } from './chain-node.ts'

/** Maximum hours of addresses to recover: 31 days. */
const HOURS = 31 * 24

/**
 * Moves the watcher back to a block, to find transfers that a node omitted. Existing credits stay, because each transfer has a unique key.
 * The watcher first recovers the addresses of the hours since this block.
 * @param block block number; the watcher continues with the next block
 * @throws Error if the node does not have the block, or the watcher has read nothing yet; NodeUnavailable, NodeError
 */
export async function rescan(
  { rpcUrl, chainId }: Pick<ChainSettings, 'rpcUrl' | 'chainId'>,
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  block: number,
  now: Date,
): Promise<void> {
  const [header] = await chainNode(rpcUrl).headers([block])
  if (header === null || header === undefined) throw new Error(`the node has no block ${block}`)
  await inTransaction(async (tx) => {
    const known = await tx.selectFrom('chain_cursor').select('block').where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
    if (known === undefined || known.block < BigInt(block)) throw new Error(`the worker has not read the chain up to block ${block} yet`)
    await saveBlocks(tx, chainId, [header])
    await moveCursor(tx, chainId, header)
    await moveFinal(tx, chainId, block)
    await deleteSums(tx, chainId, block)
    const newest = await newestGeneration(tx)
    if (newest === undefined) return
    // The two newest hours may still assign addresses and have lost none.
    const to = newest - 2
    await beginRecovery(tx, { from: Math.max(generationAt(header.time), to - HOURS), to, now })
  })
}
