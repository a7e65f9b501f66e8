import { useCallback, useRef } from 'react'

/** A key that no other call has: 128 random bits as text. Works on plain http too. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

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
