import type { Tx } from '../../platform/db/database.ts'
import type { ChainSettings } from './chain.jobs.ts'
import { forgetSums, keepBlocks, moveCursor, moveFinal } from './chain-cursor.ts'
import { beginRecovery, newestGeneration } from './address-generations.ts'
import { generationAt } from './deposit-address.ts'
import { evmNode } from './evm-node.ts'

/** Most hours whose addresses are looked through: 31 days. */
const HOURS = 31 * 24

/**
 * Under the watcher's lease, has it read the chain again behind a block, for what a node left out. What was credited stays, as each
 * transfer is known by its key. Addresses of those hours that this database may have forgotten are looked through first.
 * @param block its number; the watcher goes on with the one after it
 * @throws Error when the node has no such block, or nothing was read yet; NodeAway, NodeRefused
 */
export async function rescan(
  { rpcUrl, chainId }: Pick<ChainSettings, 'rpcUrl' | 'chainId'>,
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  block: number,
  now: Date,
): Promise<void> {
  const [header] = await evmNode(rpcUrl).headers([block])
  if (header === null || header === undefined) throw new Error(`the node has no block ${block}`)
  await inTransaction(async (tx) => {
    const known = await tx.selectFrom('chain_cursor').select('block').where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
    if (known === undefined || known.block < BigInt(block)) throw new Error(`the chain was not read up to block ${block} yet`)
    await keepBlocks(tx, chainId, [header])
    await moveCursor(tx, chainId, header)
    await moveFinal(tx, chainId, block)
    await forgetSums(tx, chainId, block)
    const newest = await newestGeneration(tx)
    if (newest === undefined) return
    // The two newest hours may still give addresses, and have lost none.
    const to = newest - 2
    await beginRecovery(tx, { from: Math.max(generationAt(header.time), to - HOURS), to, now })
  })
}
