import type { GenericSchema, InferOutput } from 'valibot'
import { shaped } from './node-answers.ts'
import { NodeRefused, type RpcCall } from './rpc.ts'

/** Minimum blocks until a block is final, itself included (CO-40). The settings can require more. */
export const CONFIRMATIONS = 12

/**
 * Returns the newest final block: deep enough, and at most the node's finalized block
 * (docs/decisions/0033-chain-finality-and-liveness.md).
 * @param finalized null if the node knows none
 */
export const newestFinal = (head: number, finalized: number | null, confirmations = CONFIRMATIONS): number =>
  Math.min(head - confirmations + 1, finalized ?? Number.POSITIVE_INFINITY)

/**
 * Queries the node's finalized block. Returns null if the node does not know the tag.
 * @throws NodeAway
 */
export async function finalizedOf<S extends GenericSchema>(
  ask: (calls: readonly RpcCall[]) => Promise<unknown[]>,
  schema: S,
): Promise<InferOutput<S> | null> {
  try {
    const [answer] = await ask([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }])
    return shaped(schema, answer)
  } catch (error) {
    if (error instanceof NodeRefused) return null
    throw error
  }
}
