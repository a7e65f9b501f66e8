import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { chainFolder, DevChainError, startDevChain, withDevChain } from './index.ts'

/** Result from starting the development chain. */
interface OpenedDevChain {
  /** Settings, including the development chain if one runs. */
  config: Config
  /** Message that explains why a sandbox has none. */
  note?: string
  close(): Promise<void>
}

/**
 * Starts the development chain of a sandbox without a configured chain. If it fails, the platform starts without deposits
 * and payouts on the chain.
 */
export async function openDevChain({ config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<OpenedDevChain> {
  const nothing = { config, close: () => Promise.resolve() }
  if (!config.sandbox || config.chain !== undefined || !config.sandboxChain) return nothing
  try {
    const chain = await startDevChain(chainFolder(config), clock.now())
    return { config: withDevChain(config), close: () => chain.stop() }
  } catch (error) {
    const why = error instanceof DevChainError ? error.message : `it did not start: ${String(error)}`
    return { ...nothing, note: `The dev chain is not running, so deposits and payouts on the chain are off: ${why}.` }
  }
}
