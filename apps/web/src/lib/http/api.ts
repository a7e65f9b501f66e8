import type { Route } from '@tizara/contract'
import { ApiError } from './api-error.ts'
import { type Answer, type CallInput, type LooseInput, send } from './http.ts'
import { readToken } from './session.ts'
import { endRejectedSession, refreshSession } from './session-calls.ts'

export { ApiError, toApiError } from './api-error.ts'
export type { Answer, CallInput } from './http.ts'

/** Returns true for calls whose 401 and 403 do not end the session: sign-in calls and the invoice service (ST-18). */
function isExempt(route: Route): boolean {
  return route.base === 'invoice' || route.access === 'public' || route.access === 'link'
}

/**
 * Sends one API call. Refreshes an expired token once for all waiting calls, then repeats this one (ST-12 to ST-17). Logs out on
 * 401. Amounts are bigint units, times are Dates.
 * @param input `body`, `params`, `query`, `file`, `idempotencyKey`, `signal`
 * @throws ApiError for every failure (EN-04)
 */
export async function call<R extends Route>(
  route: R,
  ...[input]: object extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]
): Promise<Answer<R>> {
  const options: LooseInput & { token?: string | undefined } = input ?? {}
  const token = options.token ?? readToken()
  if (isExempt(route)) return await send(route, options, token)
  try {
    return await attempt(route, options, token)
  } catch (error) {
    if (!isRejection(error, 403)) throw error
    const renewed = await refreshSession(token)
    if (renewed === null) throw error
    return await attempt(route, options, renewed)
  }
}

const isRejection = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.fromServer && error.statusCode === status

async function attempt<R extends Route>(route: R, input: LooseInput, token: string | null): Promise<Answer<R>> {
  try {
    return await send(route, input, token)
  } catch (error) {
    if (isRejection(error, 401)) endRejectedSession(token)
    throw error
  }
}
