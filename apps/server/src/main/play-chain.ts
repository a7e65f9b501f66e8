import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { chainFolder, NoPlayChain, startPlayChain, withPlayChain } from '../sandbox/index.ts'

/** What became of the play chain. */
interface Playing {
  /** The settings, with the play chain where there is one. */
  config: Config
  /** Why a sandbox has none, for people. */
  note?: string
  close(): Promise<void>
}

/**
 * Starts the play chain of a sandbox that has no chain configured. Without one the house starts all the same: deposits and payouts
 * on the chain are off then.
 */
export async function openPlayChain({ config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<Playing> {
  const nothing = { config, close: () => Promise.resolve() }
  if (!config.sandbox || config.chain !== undefined || !config.sandboxChain) return nothing
  try {
    const chain = await startPlayChain(chainFolder(config), clock.now())
    return { config: withPlayChain(config), close: () => chain.stop() }
  } catch (error) {
    const why = error instanceof NoPlayChain ? error.message : `it did not start: ${String(error)}`
    return { ...nothing, note: `No play chain, so deposits and payouts on the chain are off: ${why}.` }
  }
}
