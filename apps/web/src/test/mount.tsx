import '../ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { queryClient } from '../lib/query.ts'
import { MessageHost } from '../ui/message-box.tsx'
import { messageStore } from '../ui/message-store.ts'
import { toastStore } from '../ui/toast-store.ts'
import { ToastHost } from '../ui/toast.tsx'

/** Renders a component for a signed-in member, with server state, messages and toasts. */
export async function mount(children: ReactNode, path = '/dashboard') {
  clearScreens()
  localStorage.setItem('tizaraUserToken', 'token')
  localStorage.setItem('accessToken', 'token')
  localStorage.setItem('userStatus', 'true')
  history.replaceState(null, '', path)
  return await render(
    <QueryClientProvider client={queryClient}>
      <main>{children}</main>
      <MessageHost />
      <ToastHost />
    </QueryClientProvider>,
  )
}

/** Clears server state, messages and toasts. */
export function clearScreens(): void {
  for (const message of messageStore.get()) message.answer(false)
  for (const { id } of toastStore.get()) toastStore.remove(id)
  queryClient.clear()
}

/** Clears state left by a test. */
export function tidyUp(): void {
  clearScreens()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}
