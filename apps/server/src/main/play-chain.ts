import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { chainFolder, NoPlayChain, startPlayChain, withPlayChain } from '../sandbox/index.ts'

/** Result from starting the development chain. */
interface Playing {
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
export async function openPlayChain({ config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<Playing> {
  const nothing = { config, close: () => Promise.resolve() }
  if (!config.sandbox || config.chain !== undefined || !config.sandboxChain) return nothing
  try {
    const chain = await startPlayChain(chainFolder(config), clock.now())
    return { config: withPlayChain(config), close: () => chain.stop() }
  } catch (error) {
    const why = error instanceof NoPlayChain ? error.message : `it did not start: ${String(error)}`
    return { ...nothing, note: `The dev chain is not running, so deposits and payouts on the chain are off: ${why}.` }
  }
}
