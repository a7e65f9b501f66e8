import type { GenericSchema, InferOutput } from 'valibot'
import { shaped } from './node-answers.ts'
import { NodeRefused, type RpcCall } from './rpc.ts'

/** Blocks, its own included, after which a block is final at the earliest (CO-40). The settings may ask for more. */
export const CONFIRMATIONS = 12

/**
 * The newest final block: so many blocks deep, and not above the block that the node itself calls final.
 * @param finalized null where the node knows no such block
 */
export const newestFinal = (head: number, finalized: number | null, confirmations = CONFIRMATIONS): number =>
  Math.min(head - confirmations + 1, finalized ?? Number.POSITIVE_INFINITY)

/**
 * Asks for the block that the node calls final; null where it does not know the tag.
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
