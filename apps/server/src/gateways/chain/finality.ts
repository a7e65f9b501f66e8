/** Minimum blocks until a block is final, itself included (CO-40). The settings can require more. */
export const CONFIRMATIONS = 12

/**
 * Returns the newest final block: at the required depth, and at most the finalized block of the node
 * (docs/decisions/0033-chain-finality-and-liveness.md).
 * @param finalized null if the node does not support the tag
 */
export const newestFinal = (head: number, finalized: number | null, confirmations = CONFIRMATIONS): number =>
  Math.min(head - confirmations + 1, finalized ?? Number.POSITIVE_INFINITY)

/** Node with a head and a finalized block. */
interface HeadSource {
  head(): Promise<{ number: number }>
  finalized(): Promise<{ number: number } | null>
}

/** Returns a node's newest final block. */
export const finalBlockOf = async (node: HeadSource, confirmations?: number): Promise<number> =>
  newestFinal((await node.head()).number, (await node.finalized())?.number ?? null, confirmations)
