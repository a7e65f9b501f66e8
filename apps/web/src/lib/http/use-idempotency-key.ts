import { useCallback, useRef } from 'react'
import { randomHex } from '../proofs/random-hex.ts'

const newIdempotencyKey = () => randomHex(16)

/**
 * A money form's idempotency key, created when the form opens (invariant I5). It stays the same for every retry of one submit.
 * @returns `current()` for the call; `renew()` after a definite response, so that the next submit is a new call
 */
export function useIdempotencyKey(): { current: () => string; renew: () => void } {
  const key = useRef<string>(null)
  const current = useCallback((): string => (key.current ??= newIdempotencyKey()), [])
  const renew = useCallback((): void => {
    key.current = newIdempotencyKey()
  }, [])
  return { current, renew }
}
