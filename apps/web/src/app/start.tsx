import './app.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { completeAppConfig } from '../settings/index.ts'
import { App } from './app.tsx'
import type { Screens } from './screens.tsx'
import { followTheme } from './theme.ts'

/** Puts the app into the page. */
export function start(screens: Screens): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  const app = (
    <StrictMode>
      <App screens={screens} />
    </StrictMode>
  )
  followTheme()
  // The sign-in page comes drawn by the build; at any other address, a forwarded member's for one, it is not what shows.
  if (root.firstElementChild !== null && (location.pathname === '/' || location.pathname === '/auth/signin')) {
    hydrateRoot(root, app)
  } else {
    root.replaceChildren()
    // In slices: the page answers touches while it is drawn.
    startTransition(() => createRoot(root).render(app))
  }
  document.documentElement.removeAttribute('data-forward')
  void completeAppConfig()
}
