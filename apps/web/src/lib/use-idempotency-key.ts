import { useCallback, useRef } from 'react'
import { randomHex } from './random-hex.ts'

const newIdempotencyKey = () => randomHex(16)

/**
 * The key of a money form, made when the form opens (invariant I5): the same through every repeat of one submit.
 * @returns `current()` for the call, `renew()` after a definite answer, so that the next submit is a call of its own
 */
export function useIdempotencyKey(): { current: () => string; renew: () => void } {
  const key = useRef<string>(null)
  const current = useCallback((): string => (key.current ??= newIdempotencyKey()), [])
  const renew = useCallback((): void => {
    key.current = newIdempotencyKey()
  }, [])
  return { current, renew }
}
