/** Everything that is kept in the browser's storage, and nothing else (BR-01 to BR-13): no password, profile or balance. */
export const storageKeys = {
  /** The access token: with userStatus it forwards from the sign-in page (BR-01, BR-02). */
  accessToken: 'accessToken',
  /** The user token: its presence means signed in, and it goes into Authorization (BR-03, BR-12). */
  userToken: 'tizaraUserToken',
  /** `true` from sign-in until the announcement is closed (BR-04). */
  popupShown: 'popupShown',
  /** `true` when the member is verified and not blocked (BR-05, BR-06). */
  userStatus: 'userStatus',
  /** `light` or `dark` (BR-07). */
  theme: 'color-theme',
  /** Whether the sidebar is wide: `true` or `false` (BR-08, BR-09). */
  sidebar: 'sidebar-expanded',
  /** When a code may be sent again, epoch milliseconds (BR-10, BR-11). */
  otpResendExpiry: 'otpResendExpiry',
} as const

/** Stands in for a storage that the browser refuses to give (a sandboxed frame, cookies switched off). */
const memory = new Map<string, string>()
const listeners = new Set<() => void>()

/** Reads a key; null when it is absent. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

/** Writes keys together and tells this page's listeners once; null removes a key. */
export function writeStored(values: Readonly<Record<string, string | null>>): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) memory.delete(key)
    else memory.set(key, value)
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // The copy in memory lasts until the page is closed.
    }
  }
  for (const listener of listeners) listener()
}

/**
 * Listens to writes of this page and of other tabs.
 * @returns a function that stops listening
 */
export function onStored(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
