import type { Deps } from '../../platform/runtime/deps.ts'
import { openGeneration } from './address-generations.ts'
import { beginAt, type Cursor, noteHead, readCursor } from './chain-cursor.ts'
import { assertChain, WrongChain } from './evm-node.ts'
import { followReorganisation } from './follow-reorganisation.ts'
import { finalPass, quickPass } from './passes.ts'
import { recoverAddresses } from './recover-addresses.ts'
import type { Watch, WatchedChain, WatchLease } from './chain-watch.types.ts'

/**
 * Reads what is new on the chain: up to the head for what a member sees, and again at twelve confirmations for what is
 * credited (docs/decisions/0014-two-passes-over-the-chain.md). Each range is one transaction; an end anywhere repeats at
 * most one range. While a node does not answer nothing moves.
 * @returns how many transfers to our addresses were written down
 * @throws NodeAway, NodeRefused, WrongChain, ReorganisedTooDeep, SourcesDiffer
 */
export async function watchChain(lease: WatchLease, deps: Deps, chain: WatchedChain): Promise<number> {
  const watch: Watch = { ...chain, lease, deps }
  for (const node of [chain.node, chain.witness]) if (node !== undefined) await assertChain(node, chain)
  const head = await chain.node.head()
  const known = (await lease.read((db) => readCursor(db, chain.chainId))) ?? (await begin(watch, head.number))
  await lease.inTransaction(async (tx) => {
    await noteHead(tx, chain.chainId, deps.clock.now())
    await openGeneration(tx, deps.clock.now())
  })
  if (!(await recoverAddresses(watch))) return 0
  const cursor = await followReorganisation(watch, known, head.number)
  if (cursor === null) return 0
  const seen = await quickPass(watch, cursor, head.number)
  // Final is what both sources have so deep: a node that makes up blocks on top of a young one credits nothing alone.
  const read = chain.witness === undefined ? seen.block : Math.min(seen.block, (await chain.witness.head()).number)
  return seen.moved + (await finalPass(watch, cursor.finalBlock, read))
}

async function begin({ lease, deps, chainId, node, startBlock }: Watch, head: number): Promise<Cursor> {
  const [header] = await node.headers([Math.min(head, startBlock ?? head)])
  if (header === null || header === undefined) throw new WrongChain('the node does not know the block to begin at')
  return lease.inTransaction(async (tx) => {
    await beginAt(tx, chainId, header, deps.clock.now())
    return { block: header.number, hash: header.hash, time: header.time, finalBlock: header.number, seenAt: deps.clock.now() }
  })
}
