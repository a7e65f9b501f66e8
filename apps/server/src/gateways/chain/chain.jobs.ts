import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Token } from './chain.ts'
import { depositAddresses } from './deposit-address.ts'
import { evmNode } from './evm-node.ts'
import { watchChain } from './watch-chain.ts'
import type { WatchedChain, WatchLease } from './chain-watch.types.ts'

/** Name of the sweep that reads the chain. */
export const CHAIN_WATCHER = 'chain-watcher'

/** Unused addresses in a row after which a lost hour is taken as looked through, where the settings say nothing. */
const ADDRESS_GAP = 200

/** Where a chain is read, and which tokens count there. */
export interface ChainSettings extends Pick<WatchedChain, 'chainId' | 'startBlock' | 'confirmations'> {
  /** Larger transfers, in whole units, that are credited after more blocks. */
  large?: { usd: number; coin: number; confirmations: number } | undefined
  /** Contract of the coin, lower case. */
  token: string
  decimals: number
  /** That of the dollars which members may send; without it no invoice is over dollars. */
  usd?: { token: string; decimals: number } | undefined
  /** Extended public key of the branch that addresses come from. */
  xpub: string
  /** Unused addresses in a row after which a lost hour is taken as looked through. */
  addressGap?: number | undefined
  rpcUrl: string
  /** A second source that has to tell the same before anything is credited. */
  witnessUrl: string | undefined
}

export const tokensOf = ({
  token,
  decimals,
  usd,
}: Pick<ChainSettings, 'token' | 'decimals' | 'usd'>): Record<'COIN', Token> & Partial<Record<'USD', Token>> => ({
  COIN: { address: token, decimals },
  ...(usd === undefined ? {} : { USD: { address: usd.token, decimals: usd.decimals } }),
})

const watchedTokens = (settings: ChainSettings) => {
  const { COIN, USD } = tokensOf(settings)
  return [{ ...COIN, asset: 'COIN' as const }, ...(USD === undefined ? [] : [{ ...USD, asset: 'USD' as const }])]
}

/** A recurring job, in the shape that the worker runs. */
interface ChainSweep {
  name: string
  everySeconds: number
  lane: string
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
  const { rpcUrl, witnessUrl, chainId, startBlock, confirmations, addressGap = ADDRESS_GAP } = settings
  const watched = {
    chainId,
    startBlock,
    confirmations,
    addressGap,
    addressAt: depositAddresses(settings.xpub),
    tokens: watchedTokens(settings),
  }
  const sources = { node: evmNode(rpcUrl), witness: witnessUrl === undefined ? undefined : evmNode(witnessUrl) }
  return [
    {
      name: CHAIN_WATCHER,
      everySeconds: 1,
      // A node that takes its time holds up nothing else.
      lane: 'chain',
      run: (lease, deps) =>
        watchChain(lease, deps, { ...watched, ...sources, onMoved: (tx, addresses) => onMoved(tx, addresses, deps.clock.now()) }),
    },
  ]
}
