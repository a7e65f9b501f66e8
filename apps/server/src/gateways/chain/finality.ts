import type { GenericSchema, InferOutput } from 'valibot'
import { shaped } from './node-answers.ts'
import { NodeError, type RpcCall } from './rpc.ts'

/** Minimum blocks until a block is final, itself included (CO-40). The settings can require more. */
export const CONFIRMATIONS = 12

/**
 * Returns the newest final block: at the required depth, and at most the finalized block of the node
 * (docs/decisions/0033-chain-finality-and-liveness.md).
 * @param finalized null if the node does not support the tag
 */
export const newestFinal = (head: number, finalized: number | null, confirmations = CONFIRMATIONS): number =>
  Math.min(head - confirmations + 1, finalized ?? Number.POSITIVE_INFINITY)

/**
 * Reads the finalized block of a node. Returns null if the node does not support the tag.
 * @throws NodeUnavailable
 */
export async function finalizedOf<S extends GenericSchema>(
  ask: (calls: readonly RpcCall[]) => Promise<unknown[]>,
  schema: S,
): Promise<InferOutput<S> | null> {
  try {
    const [answer] = await ask([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }])
    return shaped(schema, answer)
  } catch (error) {
    if (error instanceof NodeError) return null
    throw error
  }
}
