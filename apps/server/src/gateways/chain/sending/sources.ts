import { assertChainId, type WalletNode } from '../chain-node.ts'

/** Node that a job uses, and the second source, which must confirm what cannot be undone. */
export interface Sources {
  node: WalletNode
  secondNode?: WalletNode | undefined
}

/** Returns the configured sources. */
export const sourcesOf = ({ node, secondNode }: Sources): WalletNode[] => (secondNode === undefined ? [node] : [node, secondNode])

/** @throws WrongChain */
export async function assertChainOf(sources: Sources, chainId: number): Promise<void> {
  for (const node of sourcesOf(sources)) await assertChainId(node, chainId)
}

/** Returns the highest number of transactions of a wallet that a source knows, pending ones included. */
export const transactionsOf = async (sources: Sources, address: string): Promise<number> =>
  Math.max(...(await Promise.all(sourcesOf(sources).map((source) => source.pendingNonceOf(address)))))

/**
 * Returns the final transactions that left the chain according to every source: it has another block at their height, and no receipt for any
 * of their hashes. A missing block or receipt alone proves nothing, because a node may lag or be pruned.
 */
export async function removedAmong<T extends { block: number; blockHash: string; hashes: readonly string[] }>(
  sources: Sources,
  ended: readonly T[],
): Promise<T[]> {
  let removed = [...ended]
  for (const source of sourcesOf(sources)) {
    const blocks = await source.blockHashes(removed.map(({ block }) => block))
    removed = removed.filter(({ blockHash }, index) => (blocks[index] ?? null) !== null && blocks[index] !== blockHash)
    if (removed.length === 0) return []
    const hashes = removed.flatMap((one) => one.hashes)
    const receipts = await source.receipts(hashes)
    const mined = new Set(hashes.filter((_, index) => (receipts[index] ?? null) !== null))
    removed = removed.filter((one) => !one.hashes.some((hash) => mined.has(hash)))
    if (removed.length === 0) return []
  }
  return removed
}
