import type { ChainReserves, ReserveGap } from '@tizara/contract/balance-proof/proof-statement'
import type { Lease } from '../../jobs/lease.ts'

/** Reads the reserves of a day, and signs its statement. */
export interface ReserveSource {
  /**
   * Reads the reserves on the chain.
   * @returns the reason if there are none to read
   */
  read(lease: Lease, at: Date): Promise<ChainReserves | ReserveGap>
  /** Signs a statement with the key of the hot wallet (EIP-191); absent without a key. */
  sign?: ((text: string) => Promise<{ signer: string; signature: string }>) | undefined
}

/** Source of an instance without a chain. */
export const noReserves = (gap: ReserveGap): ReserveSource => ({ read: () => Promise.resolve(gap) })
