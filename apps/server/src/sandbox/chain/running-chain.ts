import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ONE } from '@tizara/money'
import * as v from 'valibot'
import type { Config } from '../../platform/config/config.ts'
import { DEV_CHAIN_ID } from './dev-node.ts'

const running = v.object({
  /** Process ids: the chain, and the instance that started it. */
  pid: v.number(),
  instance: v.number(),
  rpcUrl: v.string(),
  coin: v.string(),
  usd: v.string(),
  xpub: v.string(),
  keystore: v.object({ file: v.string(), password: v.string() }),
  branch: v.object({ file: v.string(), password: v.string() }),
  digest: v.object({ file: v.string(), password: v.string() }),
})

/** State of a running development chain, shared with the instance's other processes. */
export type RunningChain = v.InferOutput<typeof running>

export const chainFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'sandbox', 'chain')
export const runningFile = (folder: string): string => path.join(folder, 'running.json')

/** Reads the state file of the running or crashed development chain; undefined if none. */
export function readRunning(folder: string): RunningChain | undefined {
  try {
    return v.parse(running, JSON.parse(readFileSync(runningFile(folder), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * Adds the running development chain to the settings of a sandbox, as if CHAIN_RPC_URL and the other chain settings were set. Does nothing
 * if a chain is configured or the sandbox is off.
 */
export function withDevChain(config: Config): Config {
  if (!config.sandbox || config.chain !== undefined) return config
  const chain = readRunning(chainFolder(config))
  if (chain === undefined) return config
  const { rpcUrl, xpub, coin, usd, keystore, branch, digest } = chain
  return {
    ...config,
    chain: {
      chainId: DEV_CHAIN_ID,
      token: coin,
      decimals: 18,
      usd: { token: usd, decimals: 18 },
      xpub,
      addressGap: 200,
      confirmations: 12,
      large: { usd: 10_000, coin: 100_000, confirmations: 60 },
      startBlock: undefined,
      rpcUrl,
      secondRpcUrl: undefined,
    },
    payouts: {
      coin: { token: coin, decimals: 18 },
      usd: { token: usd, decimals: 18 },
      maxGasGwei: 20,
      inFlight: 16,
      hourUsd: 20_000,
      hourCoin: 500_000,
    },
    payoutSigner: keystore,
    digestKeystore: digest,
    sweep: { keystore: branch, to: undefined, minUsd: 20, minCoin: 2_000 },
    gasUsd: config.gasUsd ?? PLAY_GAS_USD,
    explorerUrl: config.explorerUrl ?? `${config.publicUrl}/sandbox/chain`,
  }
}

/** USD units per coin of test gas, similar to a well-known chain. */
const PLAY_GAS_USD = 600n * ONE

/** Returns true if sandbox, chain id and loopback address all indicate a development chain. Only then the API accepts test payments. */
export function isDevChain({ sandbox, chain }: Config): boolean {
  if (!sandbox || chain?.chainId !== DEV_CHAIN_ID || !URL.canParse(chain.rpcUrl)) return false
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(chain.rpcUrl).hostname)
}
