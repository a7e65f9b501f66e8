import { ProviderFailure } from './payment-provider.ts'

/** Consecutive failures before the breaker opens, and its reset time. */
const FAILURES = 5
const RESET_TIMEOUT_MS = 10_000

/** Runs calls, or rejects them while the provider is down. */
export interface Breaker {
  run<T>(call: () => Promise<T>): Promise<T>
}

/**
 * Creates a circuit breaker. Five consecutive failures open it for ten seconds; then one call probes.
 * @param now monotonic ms of the machine, as the breaker is not about money
 */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0
  let restUntil = 0
  return {
    async run(call) {
      if (now() < restUntil) throw new ProviderFailure('not called after repeated failures')
      // Other calls are rejected while one probes.
      if (failures >= FAILURES) restUntil = now() + RESET_TIMEOUT_MS
      try {
        const result = await call()
        failures = 0
        restUntil = 0
        return result
      } catch (error) {
        failures += 1
        if (failures >= FAILURES) restUntil = now() + RESET_TIMEOUT_MS
        throw error
      }
    },
  }
}
