import { ProviderFailure } from './payment-provider.ts'

/** Consecutive failures before the breaker opens, and its reset time. */
const FAILURES = 5
const RESET_TIMEOUT_MS = 10_000

/** Runs calls, or rejects them while the provider is down. */
export interface Breaker {
  run<T>(call: () => Promise<T>): Promise<T>
}

/**
 * Creates a circuit breaker. It opens for ten seconds after five consecutive failures; then one call tests the provider.
 * @param now monotonic ms of the machine; the database's clock is not needed, because no money depends on the time
 */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0
  let openUntil = 0
  return {
    async run(call) {
      if (now() < openUntil) throw new ProviderFailure('not called after repeated failures')
      // Rejects other calls during the test call.
      if (failures >= FAILURES) openUntil = now() + RESET_TIMEOUT_MS
      try {
        const result = await call()
        failures = 0
        openUntil = 0
        return result
      } catch (error) {
        failures += 1
        if (failures >= FAILURES) openUntil = now() + RESET_TIMEOUT_MS
        throw error
      }
    },
  }
}
