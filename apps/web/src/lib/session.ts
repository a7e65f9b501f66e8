import { logOut as logOutRoute, refreshToken } from '@tizara/contract/auth'
import { useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { send } from './http.ts'
import { onStored, readStored, storageKeys, writeStored } from './storage.ts'

/** The token of the session, or null when nobody is signed in (ST-01). */
export const readToken = (): string | null => readStored(storageKeys.userToken)

/** Keeps a token under both keys: of sign-in, sign-up, verification and refresh alike (BR-12). */
function storeSession(token: string): void {
  writeStored({ [storageKeys.userToken]: token, [storageKeys.accessToken]: token })
}

/**
 * Keeps whether the sign-in page may forward (BR-06).
 * @param member what is known of the member; an unknown status counts as not blocked
 */
export function storeUserStatus(member: { isVerified: boolean; status?: boolean | undefined }): void {
  const status = String(member.isVerified && member.status !== false)
  if (readStored(storageKeys.userStatus) !== status) writeStored({ [storageKeys.userStatus]: status })
}

/** Whether the sign-in page forwards to the dashboard (UI-SIGNIN-12, UI-SIGNIN-13). */
export function mayForward(): boolean {
  return readStored(storageKeys.accessToken) !== null && readStored(storageKeys.userStatus) === 'true'
}

/** The token, followed live: this page's changes and those of other tabs. */
export function useToken(): string | null {
  return useSyncExternalStore(onStored, readToken, () => null)
}

const beginnings = new Set<() => void>()
const endings = new Set<() => void>()

/**
 * Runs something whenever a session begins here: what was read without it, or for the unverified member, is outdated.
 * @returns a function that stops it
 */
export function onSessionStart(run: () => void): () => void {
  beginnings.add(run)
  return () => beginnings.delete(run)
}

/**
 * Begins a session: keeps the token of sign-in, sign-up or verification and the flag that sign-in reads (BR-06, BR-12).
 * @param token the access token
 * @param isVerified whether the member is verified
 */
export function startSession(token: string, isVerified: boolean): void {
  storeSession(token)
  storeUserStatus({ isVerified })
  for (const run of beginnings) run()
}

/**
 * Runs something whenever a session ends here: caches of the member are emptied so.
 * @returns a function that stops it
 */
export function onSessionEnd(run: () => void): () => void {
  endings.add(run)
  return () => endings.delete(run)
}

/** Leaves what a member could see: empties caches and goes to the sign-in page. */
export function leave(): void {
  for (const run of endings) run()
  if (location.pathname !== '/') navigate('/')
}

/**
 * Ends the session: both tokens, popupShown and userStatus go, theme and sidebar stay; the server is told with the token
 * kept in memory and whatever it answers is ignored (ST-19 to ST-23).
 */
export function logOut(): void {
  const token = readToken()
  writeStored({
    [storageKeys.userToken]: null,
    [storageKeys.accessToken]: null,
    [storageKeys.popupShown]: null,
    [storageKeys.userStatus]: null,
  })
  leave()
  void send(logOutRoute, {}, token).catch(() => undefined)
}

/** The one refresh of this tab that is under way (ST-13). */
let refreshing: Promise<string | null> | undefined

/** One tab at a time, where the browser has Web Locks (only on secure origins). */
async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- absent on plain http
  return navigator.locks === undefined ? await work() : await navigator.locks.request('session-refresh', work)
}

async function fetchNewToken(expired: string | null): Promise<string | null> {
  const stored = readToken()
  // Another call, or another tab, has been here while this one waited; or the session has ended.
  if (stored !== expired) return stored
  try {
    const { data } = await send(refreshToken, {}, stored)
    // A log-out while the answer was under way must not be undone.
    if (readToken() !== stored) return readToken()
    storeSession(data.accessToken)
    return data.accessToken
  } catch {
    if (readToken() === stored) logOut()
    return null
  }
}

/**
 * A token instead of the one that has expired: one refresh for all calls and tabs that wait (ST-12 to ST-15).
 * @param expired the token that the refused call carried
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
  if (readToken() === refused) logOut()
}
