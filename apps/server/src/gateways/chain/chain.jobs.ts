import type { Tx } from '../../platform/db/database.ts'
import { isRecent } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Token } from './chain.ts'
import { depositAddresses } from './deposit-address.ts'
import { chainNode } from './chain-node.ts'
import { findRejectedTokens } from './standard-tokens.ts'
import { watchChain } from './watch-chain.ts'
import type { WatchedChain, WatchLease } from './chain-watch.types.ts'

/** Job that reads the chain. */
export const CHAIN_WATCHER = 'chain-watcher'

/** Default gap limit (BIP-44): unused addresses in a row after which the search for lost addresses ends. */
const GAP_LIMIT = 200

/** Interval of the token check in ms. The check is repeated, because a contract can introduce a fee later. */
const TOKEN_CHECK_MS = 3_600_000

/** Chain sources and accepted tokens. */
export interface ChainSettings extends Pick<WatchedChain, 'chainId' | 'startBlock' | 'confirmations'> {
  /** Amounts in whole units from which a transfer needs more confirmations. */
  large?: { usd: number; coin: number; confirmations: number } | undefined
  /** Contract of the coin, lower case. */
  token: string
  decimals: number
  /** USD token that members can send. Without this token, invoices are in coin only. */
  usd?: { token: string; decimals: number } | undefined
  /** Extended public key of the deposit branch. */
  xpub: string
  /** Gap limit (BIP-44) of the search for addresses that the lost database issued after the restored backup was made. */
  addressGap?: number | undefined
  rpcUrl: string
  /** Second source. A credit requires the same answer from both. */
  secondRpcUrl: string | undefined
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
  const { rpcUrl, secondRpcUrl, chainId, startBlock, confirmations, addressGap = GAP_LIMIT } = settings
  const watched = {
    chainId,
    startBlock,
    confirmations,
    addressGap,
    addressAt: depositAddresses(settings.xpub),
    tokens: watchedTokens(settings),
  }
  const sources = { node: chainNode(rpcUrl), secondNode: secondRpcUrl === undefined ? undefined : chainNode(secondRpcUrl) }
  const contracts = watched.tokens.map(({ address }) => address)
  let checked: { at: Date; rejected: ReadonlyMap<string, string> } | undefined
  return [
    {
      name: CHAIN_WATCHER,
      everySeconds: 1,
      // Runs on its own worker, so that a slow node delays no other job.
      group: 'chain',
      async run(lease, deps) {
        const now = deps.clock.now()
        // Checks the tokens at the start and then hourly. The watcher credits nothing before the first check.
        if (checked === undefined || !isRecent(checked.at, now, TOKEN_CHECK_MS)) {
          checked = { at: now, rejected: await findRejectedTokens(sources.node, contracts) }
          for (const problem of checked.rejected.values())
            deps.log.error({ chain: chainId, problem }, 'token rejected: its transfers do not prove a payment')
        }
        const { rejected } = checked
        return watchChain(lease, deps, {
          ...watched,
          ...sources,
          rejected,
          onTransfersRecorded: (tx, addresses) => onTransfersRecorded(tx, addresses, deps.clock.now()),
        })
      },
    },
  ]
}
