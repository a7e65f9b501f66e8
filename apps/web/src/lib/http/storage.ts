/** All keys in browser storage (BR-01 to BR-13). Never stores passwords, profiles or balances. */
export const storageKeys = {
  /** Access token; with userStatus it makes the sign-in page redirect (BR-01, BR-02). */
  accessToken: 'accessToken',
  /** User token, sent in Authorization; if present, the member is signed in (BR-03, BR-12). */
  userToken: 'tizaraUserToken',
  /** `true` from sign-in until the announcement is closed (BR-04). */
  popupShown: 'popupShown',
  /** `true` if the member is verified and not blocked (BR-05, BR-06). */
  userStatus: 'userStatus',
  /** `light` or `dark` (BR-07). */
  theme: 'color-theme',
  /** Sidebar expanded: `true` or `false` (BR-08, BR-09). */
  sidebar: 'sidebar-expanded',
  /** When the next code is allowed, in epoch ms (BR-10, BR-11). */
  otpResendExpiry: 'otpResendExpiry',
  /** Number and digest of the newest published balances that this device has seen. Public data: it stays after signing out. */
  seenProof: 'tizaraSeenProof',
} as const

/** Fallback if the browser denies storage (sandboxed frame, cookies disabled). */
const memory = new Map<string, string>()
const listeners = new Set<() => void>()

/** Returns a key's value; null if absent. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

/** Writes keys together and notifies this page's listeners once; null removes a key. */
export function writeStored(values: Readonly<Record<string, string | null>>): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) memory.delete(key)
    else memory.set(key, value)
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // The copy in memory lasts until the page closes.
    }
  }
  for (const listener of listeners) listener()
}

/**
 * Subscribes to writes in this page and other tabs.
 * @returns a function that unsubscribes
 */
export function onStored(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
