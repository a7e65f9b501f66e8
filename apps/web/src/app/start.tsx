import './app.css'
import { currentLanguage } from '@tizara/languages'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { loadMissingAppConfig } from '../settings/index.ts'
import { App } from './app.tsx'
import type { Screens } from './screens.tsx'
import { followTheme } from './theme.ts'

/** Mounts the app. */
export function start(screens: Screens): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  const app = (
    <StrictMode>
      <App screens={screens} />
    </StrictMode>
  )
  followTheme()
  // The build prerenders the sign-in page in English. At other URLs, in another language, or for a signed-in member, this HTML does not match.
  if (
    root.firstElementChild !== null &&
    currentLanguage() === 'en' &&
    (location.pathname === '/' || location.pathname === '/auth/signin')
  ) {
    hydrateRoot(root, app)
  } else {
    root.replaceChildren()
    // Renders in chunks, so that the page stays responsive.
    startTransition(() => createRoot(root).render(app))
  }
  document.documentElement.removeAttribute('data-forward')
  void loadMissingAppConfig()
}
