import { afterEach, vi } from 'vitest'
import { queryClient } from '../lib/http/query.ts'
import { messageStore } from '../ui/message-store.ts'
import { toastStore } from '../ui/toast-store.ts'

/** Clears server state, messages and toasts. */
export function clearScreens(): void {
  for (const message of messageStore.get()) message.answer(false)
  for (const { id } of toastStore.get()) toastStore.remove(id)
  queryClient.clear()
}

/** Clears state left by a test or an earlier page. */
export function tidyUp(): void {
  clearScreens()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

// Runs after each test of each file (`setupFiles`), so that no file can forget it. Spies end by `restoreMocks`.
afterEach(() => {
  vi.useRealTimers()
  tidyUp()
})
