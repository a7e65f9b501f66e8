import { useCallback } from 'react'
import { toApiError } from '../lib/http/api.ts'
import { onSessionEnd } from '../lib/http/session.ts'
import { useIdempotencyKey } from '../lib/http/use-idempotency-key.ts'
import { writeJson } from '../lib/http/wire-json.ts'

/** Idempotency keys for calls with unknown outcome (no response, or a server error). */
const unsettled = new Map<string, string>()
onSessionEnd(() => unsettled.clear())

/**
 * Sends money calls with an idempotency key created when the form opens. It retries a call with unknown outcome under the same key, even
 * from a reopened form, so it has at most one effect. A definite response ends the key.
 * @returns `(name, body, send)`: the route's name, its body, and the call itself
 */
export function useMoneyCall() {
  const key = useIdempotencyKey()
  return useCallback(
    async <T>(name: string, body: object, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
      const callKey = `${name} ${writeJson(body)}`
      const idempotencyKey = unsettled.get(callKey) ?? key.current()
      key.renew()
      try {
        const answer = await send(idempotencyKey)
        unsettled.delete(callKey)
        return answer
      } catch (thrown) {
        const error = toApiError(thrown)
        if (error.fromServer && error.statusCode < 500 && error.statusCode !== 409) unsettled.delete(callKey)
        else unsettled.set(callKey, idempotencyKey)
        throw error
      }
    },
    [key],
  )
}
