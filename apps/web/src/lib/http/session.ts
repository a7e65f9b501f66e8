import { useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { onStored, readStored, storageKeys, writeStored } from './storage.ts'
import { view } from '../view-as.ts'

/** Returns the session token, or null if signed out (ST-01). */
export const readToken = (): string | null => view?.token ?? readStored(storageKeys.userToken)

/** Stores a token from sign-in, sign-up, verification or refresh under both keys (BR-12). */
export function storeToken(token: string): void {
  writeStored({ [storageKeys.userToken]: token, [storageKeys.accessToken]: token })
}

/** Stores whether the sign-in page may redirect to the dashboard (BR-06). */
export function storeUserStatus(member: { isVerified: boolean; status?: boolean | undefined }): void {
  const status = String(member.isVerified && member.status !== false)
  if (readStored(storageKeys.userStatus) !== status) writeStored({ [storageKeys.userStatus]: status })
}

/**
 * Returns true if the sign-in page redirects to the dashboard (UI-SIGNIN-12, UI-SIGNIN-13). It requires the user token too: a logout in
 * another tab removes the keys one by one, and both pages would redirect in a loop.
 */
export function mayForward(): boolean {
  return readToken() !== null && readStored(storageKeys.accessToken) !== null && readStored(storageKeys.userStatus) === 'true'
}

/** Returns the token and follows changes from this page and other tabs. */
export function useToken(): string | null {
  return useSyncExternalStore(onStored, readToken, () => null)
}

const beginnings = new Set<() => void>()
const endings = new Set<() => void>()

/**
 * Runs a callback when a session begins, because earlier reads are then stale.
 * @returns a function that unsubscribes
 */
export function onSessionStart(run: () => void): () => void {
  beginnings.add(run)
  return () => beginnings.delete(run)
}

/** Starts a session: stores the token and the flag for the sign-in page (BR-06, BR-12). */
export function startSession(token: string, isVerified: boolean): void {
  storeToken(token)
  storeUserStatus({ isVerified })
  for (const run of beginnings) run()
}

/**
 * Runs a callback when the session ends, to clear the member's caches.
 * @returns a function that unsubscribes
 */
export function onSessionEnd(run: () => void): () => void {
  endings.add(run)
  return () => endings.delete(run)
}

/** Clears the session: removes tokens, popupShown and userStatus; keeps theme and sidebar (ST-19, ST-20, ST-23). */
export function clearSession(): void {
  writeStored({
    [storageKeys.userToken]: null,
    [storageKeys.accessToken]: null,
    [storageKeys.popupShown]: null,
    [storageKeys.userStatus]: null,
  })
}

/** Clears cached member data and opens the sign-in page (ST-22). */
export function openSignInPage(): void {
  for (const run of endings) run()
  if (location.pathname !== '/') navigate('/')
}
