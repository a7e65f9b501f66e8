import { ProviderFailure } from './payment-provider.ts'

/** Failures in a row after which the provider is left alone, and for how long. */
const FAILURES = 5
const RESET_TIMEOUT_MS = 10_000

/** Runs calls, or refuses them at once while the other side is known to be down. */
export interface Breaker {
  run<T>(call: () => Promise<T>): Promise<T>
}

/**
 * A circuit breaker: five failures in a row open it for ten seconds, then one call tries again.
 * @param now milliseconds that never go back; the machine's own, since this is about a peer and not about money
 */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0
  let restUntil = 0
  return {
    async run(call) {
      if (now() < restUntil) throw new ProviderFailure('left alone after failures')
      // Everyone else waits while one call tries.
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
