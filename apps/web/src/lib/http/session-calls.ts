import { logOut as logOutRoute, refreshToken } from '@tizara/contract/session'
import { t } from '@tizara/languages'
import { toast } from '../../ui/toast-store.ts'
import { send } from './http.ts'
import { clearSession, openSignInPage, readToken, storeToken } from './session.ts'
import { endView, view } from '../view-as.ts'

/**
 * Ends the session: clears both tokens, popupShown and userStatus, and keeps theme and sidebar. Notifies the server with the token from
 * memory and ignores the response (ST-19 to ST-23).
 */
export function logOut(): void {
  // This tab views a member; the session in browser storage is the staff member's.
  if (view !== undefined) return endView()
  const token = readToken()
  clearSession()
  openSignInPage()
  void send(logOutRoute, {}, token).catch(() => undefined)
}

/** Logs out after the server ended the session, and shows a message. */
function endExpiredSession(): void {
  logOut()
  if (view !== undefined) return
  toast(t('Your session has ended. Please sign in again.'), { tone: 'info', ms: 8000 })
}

/** This tab's running refresh (ST-13). */
let refreshing: Promise<string | null> | undefined

/** Runs work in one tab at a time if the browser has Web Locks (secure origins only). */
async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent on plain http
  return navigator.locks === undefined ? await work() : await navigator.locks.request('session-refresh', work)
}

async function fetchNewToken(expired: string | null): Promise<string | null> {
  if (view !== undefined) return null
  const stored = readToken()
  // Another call or tab refreshed the token meanwhile, or the session ended.
  if (stored !== expired) return stored
  try {
    const { data } = await send(refreshToken, {}, stored)
    // A logout during the request must not be undone.
    if (readToken() !== stored) return readToken()
    storeToken(data.accessToken)
    return data.accessToken
  } catch {
    if (readToken() === stored) endExpiredSession()
    return null
  }
}

/**
 * Replaces an expired token with one refresh for all waiting calls and tabs (ST-12 to ST-15).
 * @returns the token to replay with, or null if the refresh failed and the member was logged out
 */
export async function refreshSession(expired: string | null): Promise<string | null> {
  const stored = readToken()
  if (stored !== expired) return stored
  refreshing ??= oneTabAtATime(() => fetchNewToken(expired)).finally(() => {
    refreshing = undefined
  })
  return await refreshing
}

/** Ends the session after a 401, unless the session already has another token (ST-16). */
export function endRejectedSession(refused: string | null): void {
  if (readToken() === refused) endExpiredSession()
}
