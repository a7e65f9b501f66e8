import { useCallback } from 'react'
import { toApiError } from '../lib/api.ts'
import { onSessionEnd } from '../lib/session.ts'
import { useIdempotencyKey } from '../lib/use-idempotency-key.ts'
import { writeJson } from '../lib/wire-json.ts'

/** Calls whose outcome nobody knows (no answer came, or the server broke), with the key they carried. */
const unsettled = new Map<string, string>()
onSessionEnd(() => unsettled.clear())

/**
 * Sends money calls with an idempotency key that is made when the form opens. A call whose outcome is unknown is
 * repeated under its first key, even from a form opened anew, so that it can have one effect at most; after a definite
 * answer the next call has a key of its own.
 * @returns `(name, body, send)`: the route's name, its body, and the call itself
 */
export function useMoneyCall() {
  const key = useIdempotencyKey()
  return useCallback(
    async <T>(name: string, body: object, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
      const what = `${name} ${writeJson(body)}`
      const idempotencyKey = unsettled.get(what) ?? key.current()
      key.renew()
      try {
        const answer = await send(idempotencyKey)
        unsettled.delete(what)
        return answer
      } catch (thrown) {
        const error = toApiError(thrown)
        if (error.fromServer && error.statusCode < 500 && error.statusCode !== 409) unsettled.delete(what)
        else unsettled.set(what, idempotencyKey)
        throw error
      }
    },
    [key],
  )
}
