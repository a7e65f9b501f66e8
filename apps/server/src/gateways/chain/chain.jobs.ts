import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Token } from './chain.ts'
import { depositAddresses } from './deposit-address.ts'
import { evmNode } from './evm-node.ts'
import { assertStandardTokens } from './standard-tokens.ts'
import { walletNode } from './sending/wallet-node.ts'
import { watchChain } from './watch-chain.ts'
import type { WatchedChain, WatchLease } from './chain-watch.types.ts'

/** Job that reads the chain. */
export const CHAIN_WATCHER = 'chain-watcher'

/** Default gap limit (BIP-44): unused addresses in a row after which the search for lost addresses ends. */
const GAP_LIMIT = 200

/** Chain sources and accepted tokens. */
export interface ChainSettings extends Pick<WatchedChain, 'chainId' | 'startBlock' | 'confirmations'> {
  /** Amounts in whole units from which a transfer needs more confirmations. */
  large?: { usd: number; coin: number; confirmations: number } | undefined
  /** Contract of the coin, lower case. */
  token: string
  decimals: number
  /** Dollar token that members may send. Without it, no invoice is in dollars. */
  usd?: { token: string; decimals: number } | undefined
  /** Extended public key of the deposit branch. */
  xpub: string
  /** Gap limit (BIP-44) of the search for addresses that were issued after a restored backup. */
  addressGap?: number | undefined
  rpcUrl: string
  /** Second source. A credit requires the same answer from both. */
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

/** Recurring job in the worker's format. */
interface ChainJob {
  name: string
  everySeconds: number
  group: string
  run(lease: WatchLease, deps: Deps): Promise<number>
}

/**
 * Builds the job that reads the chain.
 * @param onTransfersRecorded runs in the transaction that recorded transfers to these addresses
 */
export function chainJobs(
  settings: ChainSettings,
  onTransfersRecorded: (tx: Tx, addresses: readonly string[], at: Date) => Promise<void>,
): ChainJob[] {
  const { rpcUrl, witnessUrl, chainId, startBlock, confirmations, addressGap = GAP_LIMIT } = settings
  const watched = {
    chainId,
    startBlock,
    confirmations,
    addressGap,
    addressAt: depositAddresses(settings.xpub),
    tokens: watchedTokens(settings),
  }
  const sources = { node: evmNode(rpcUrl), witness: witnessUrl === undefined ? undefined : evmNode(witnessUrl) }
  const contracts = watched.tokens.map(({ address }) => address)
  let areChecked = false
  return [
    {
      name: CHAIN_WATCHER,
      everySeconds: 1,
      // Runs on its own worker, so that a slow node delays no other job.
      group: 'chain',
      async run(lease, deps) {
        // Checks the tokens at the start, and again until they pass. Nothing is credited before.
        if (!areChecked) await assertStandardTokens({ ...sources.node, tokensOf: walletNode(rpcUrl).tokensOf }, contracts)
        areChecked = true
        return watchChain(lease, deps, {
          ...watched,
          ...sources,
          onTransfersRecorded: (tx, addresses) => onTransfersRecorded(tx, addresses, deps.clock.now()),
        })
      },
    },
  ]
}
