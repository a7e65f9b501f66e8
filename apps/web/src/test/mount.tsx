import '../ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { queryClient } from '../lib/http/query.ts'
import { MessageHost } from '../ui/message-box.tsx'
import { ToastHost } from '../ui/toast.tsx'
import { clearScreens } from './clean-up.ts'

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
