import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { evmNode } from './evm-node.ts'
import { watchChain, type WatchedChain, type WatchLease } from './watch-chain.ts'

/** Where a chain is read, and which token counts there. */
export interface ChainSettings extends Pick<WatchedChain, 'chainId' | 'token' | 'decimals' | 'startBlock'> {
  /** Extended public key of the branch that addresses come from. */
  xpub: string
  rpcUrl: string
  /** A second source that has to tell the same before anything is credited. */
  witnessUrl: string | undefined
}

/** A recurring job, in the shape that the worker runs. */
interface ChainSweep {
  name: string
  everySeconds: number
  run(lease: WatchLease, deps: Deps): Promise<number>
}

/**
 * The sweep that reads the chain.
 * @param onMoved called in the transaction that wrote down what arrived at some addresses
 */
export function chainSweeps(
  settings: ChainSettings,
  onMoved: (tx: Tx, addresses: readonly string[], at: Date) => Promise<void>,
): ChainSweep[] {
  const { rpcUrl, witnessUrl, xpub: _, ...token } = settings
  const sources = { node: evmNode(rpcUrl), witness: witnessUrl === undefined ? undefined : evmNode(witnessUrl) }
  return [
    {
      name: 'chain-watcher',
      everySeconds: 1,
      run: (lease, deps) =>
        watchChain(lease, deps, { ...token, ...sources, onMoved: (tx, addresses) => onMoved(tx, addresses, deps.clock.now()) }),
    },
  ]
}
