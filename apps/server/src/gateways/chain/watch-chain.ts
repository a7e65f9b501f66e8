import type { Deps } from '../../platform/runtime/deps.ts'
import { openGeneration } from './address-generations.ts'
import { beginAt, type Cursor, recordHeads, readCursor } from './chain-cursor.ts'
import { newestFinal } from './finality.ts'
import { assertChain, WrongChain } from './chain-node.ts'
import { handleReorg } from './handle-reorg.ts'
import { scanFinalized, scanToHead } from './block-scan.ts'
import { recoverAddresses } from './recover-addresses.ts'
import type { Watch, WatchedChain, WatchLease } from './chain-watch.types.ts'

/**
 * Reads new blocks: up to the head for display, and again for credits once the blocks are final (docs/decisions/0014-two-chain-scans.md).
 * Each range is one transaction, so that a crash repeats at most one range. Nothing changes while no node responds.
 * @returns the number of recorded transfers to platform addresses
 * @throws NodeUnavailable, NodeError, WrongChain, ReorgTooDeep, SourcesDiffer
 */
export async function watchChain(lease: WatchLease, deps: Deps, chain: WatchedChain): Promise<number> {
  const watch: Watch = { ...chain, lease, deps }
  for (const node of [chain.node, chain.secondNode]) if (node !== undefined) await assertChain(node, chain)
  const sources = chain.secondNode === undefined ? [chain.node] : [chain.node, chain.secondNode]
  const heads = await Promise.all(sources.map((source) => source.head()))
  const head = heads[0]?.number ?? 0
  const known = (await lease.read((db) => readCursor(db, chain.chainId))) ?? (await begin(watch, head))
  await lease.inTransaction((tx) => openGeneration(tx, deps.clock.now()))
  if (!(await recoverAddresses(watch))) return 0
  const cursor = await handleReorg(watch, known, head)
  if (cursor === null) return 0
  const seen = await scanToHead(watch, cursor, head)
  // A block is final only if every source has it deep enough and finalized. A single lying node cannot credit anything.
  const finalized = await Promise.all(sources.map((source) => source.finalized()))
  const final = heads.map(({ number }, index) =>
    newestFinal(index === 0 ? Math.min(number, seen.block) : number, finalized[index]?.number ?? null, chain.confirmations),
  )
  const moved = seen.moved + (await scanFinalized(watch, cursor.finalBlock, Math.min(...final)))
  // Records the heads after the work, because a failed run is no sign of life.
  await lease.inTransaction((tx) => recordHeads(tx, chain, deps.clock.now(), heads))
  return moved
}

async function begin({ lease, deps, chainId, node, startBlock }: Watch, head: number): Promise<Cursor> {
  const [header] = await node.headers([Math.min(head, startBlock ?? head)])
  if (header === null || header === undefined) throw new WrongChain('the node does not have the start block')
  return lease.inTransaction(async (tx) => {
    await beginAt(tx, chainId, header, deps.clock.now())
    return { block: header.number, hash: header.hash, time: header.time, finalBlock: header.number, seenAt: deps.clock.now() }
  })
}
