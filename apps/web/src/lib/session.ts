import { useSyncExternalStore } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { onStored, readStored, storageKeys, writeStored } from './storage.ts'
import { view } from './view-as.ts'

/** The token of the session, or null when nobody is signed in (ST-01). */
export const readToken = (): string | null => view?.token ?? readStored(storageKeys.userToken)

/** Keeps a token under both keys: of sign-in, sign-up, verification and refresh alike (BR-12). */
export function storeToken(token: string): void {
  writeStored({ [storageKeys.userToken]: token, [storageKeys.accessToken]: token })
}

/** Keeps whether the sign-in page may forward (BR-06). */
export function storeUserStatus(member: { isVerified: boolean; status?: boolean | undefined }): void {
  const status = String(member.isVerified && member.status !== false)
  if (readStored(storageKeys.userStatus) !== status) writeStored({ [storageKeys.userStatus]: status })
}

/**
 * Whether the sign-in page forwards to the dashboard (UI-SIGNIN-12, UI-SIGNIN-13). Never where the guard would send back at
 * once: when another tab logs out, its keys go one by one, the user token first, and the two would pass the page to and fro.
 */
export function mayForward(): boolean {
  return readToken() !== null && readStored(storageKeys.accessToken) !== null && readStored(storageKeys.userStatus) === 'true'
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

/** Begins a session: keeps the token of sign-in, sign-up or verification and the flag that sign-in reads (BR-06, BR-12). */
export function startSession(token: string, isVerified: boolean): void {
  storeToken(token)
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

/** Forgets the session: tokens, popupShown and userStatus go, theme and sidebar stay (ST-19, ST-20, ST-23). */
export function clearSession(): void {
  writeStored({
    [storageKeys.userToken]: null,
    [storageKeys.accessToken]: null,
    [storageKeys.popupShown]: null,
    [storageKeys.userStatus]: null,
  })
}

/** Leaves what a member could see: empties caches and goes to the sign-in page (ST-22). */
export function leave(): void {
  for (const run of endings) run()
  if (location.pathname !== '/') navigate('/')
}
