import { logOut as logOutRoute, refreshToken } from '@tizara/contract/session'
import { toast } from '../ui/toast-store.ts'
import { send } from './http.ts'
import { clearSession, leave, readToken, storeToken } from './session.ts'
import { endView, view } from './view-as.ts'

/**
 * Ends the session: both tokens, popupShown and userStatus go, theme and sidebar stay; the server is told with the token
 * kept in memory and whatever it answers is ignored (ST-19 to ST-23).
 */
export function logOut(): void {
  // The session in the browser's storage is not that of this tab.
  if (view !== undefined) return endView()
  const token = readToken()
  clearSession()
  leave()
  void send(logOutRoute, {}, token).catch(() => undefined)
}

/** Logs out who did not ask for it, and says so. */
function endUnasked(): void {
  logOut()
  if (view !== undefined) return
  toast('Your session has ended. Please sign in again.', { tone: 'info', ms: 8000 })
}

/** The one refresh of this tab that is under way (ST-13). */
let refreshing: Promise<string | null> | undefined

/** One tab at a time, where the browser has Web Locks (only on secure origins). */
async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent on plain http
  return navigator.locks === undefined ? await work() : await navigator.locks.request('session-refresh', work)
}

async function fetchNewToken(expired: string | null): Promise<string | null> {
  if (view !== undefined) return null
  const stored = readToken()
  // Another call, or another tab, has been here while this one waited; or the session has ended.
  if (stored !== expired) return stored
  try {
    const { data } = await send(refreshToken, {}, stored)
    // A log-out while the answer was under way must not be undone.
    if (readToken() !== stored) return readToken()
    storeToken(data.accessToken)
    return data.accessToken
  } catch {
    if (readToken() === stored) endUnasked()
    return null
  }
}

/**
 * A token instead of the one that has expired: one refresh for all calls and tabs that wait (ST-12 to ST-15).
 * @returns the token to replay with, or null when the refresh failed and the member was logged out
 */
export async function refreshSession(expired: string | null): Promise<string | null> {
  const stored = readToken()
  if (stored !== expired) return stored
  refreshing ??= oneTabAtATime(() => fetchNewToken(expired)).finally(() => {
    refreshing = undefined
  })
  return await refreshing
}

/** Ends the session after a 401, unless the refused token is no longer the session's (ST-16). */
export function endRefusedSession(refused: string | null): void {
  if (readToken() === refused) endUnasked()
}
