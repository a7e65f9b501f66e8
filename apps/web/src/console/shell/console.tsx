import { logOut } from '@tizara/contract/session'
import { staffMe } from '@tizara/contract/staff'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { Hosts } from '../../app/hosts.tsx'
import { toApiError } from '../../lib/http/api.ts'
import { send } from '../../lib/http/http.ts'
import { queryClient, read } from '../../lib/http/query.ts'
import { clearSession, onSessionEnd, readToken, useToken } from '../../lib/http/session.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Alone } from './standalone-page.tsx'
import { Frame } from './frame.tsx'
import { pageAt, preloadPage } from './pages.ts'
import { MeContext } from '../kit/me.tsx'

const AccessDenied = lazy(() => import('./access-denied.tsx'))
/** Left of the decision buttons and below the page head; on phones above the top bar. */
const TOAST_PLACE = 'inset-x-3 top-1 items-center md:inset-x-auto md:top-auto md:bottom-16 md:left-3 md:items-start'

const replacePage = (href: string): void => location.replace(href)

/**
 * Serves everything below `/staff` (GN-04, RT-17): loads the person and their rights, then shows the frame with the role's views.
 * @param props `go` navigates to another page of the product
 */
export function Console({ go = replacePage }: { go?: (href: string) => void }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Gate go={go} />
      <Hosts toasts={TOAST_PLACE} />
    </QueryClientProvider>
  )
}

const SIGN_IN_PATH = '/auth-admin'
/** Sign-in address after the session expired or was ended remotely. The page explains it. */
const ENDED_SESSION_PATH = '/auth-admin?ended'

/** Storage key of the location at session end. Signing in again restores it, and drafts return (drafts.ts). */
const LOCATION_KEY = 'staff-location'

function saveLocation(): void {
  try {
    if (location.pathname.startsWith('/staff/')) sessionStorage.setItem(LOCATION_KEY, location.pathname + location.search)
  } catch {
    // Without storage the console opens the overview.
  }
}

function takeSavedLocation(): string | null {
  try {
    const stored = sessionStorage.getItem(LOCATION_KEY)
    sessionStorage.removeItem(LOCATION_KEY)
    return location.pathname === '/staff' ? stored : null
  } catch {
    return null
  }
}

function Gate({ go }: { go: (href: string) => void }) {
  const token = useToken()
  const [leaving, setLeaving] = useState(false)
  const [savedLocation] = useState(() => (token === null ? null : takeSavedLocation()))
  const { data: me, error } = useQuery({ ...read(staffMe), enabled: token !== null })
  const [had] = useState(token !== null)
  // Loads the page's code beside the person's rights.
  useEffect(() => preloadPage(pageAt(location.pathname)), [])
  // A refused call leaves the console at once, so the location is stored before.
  useEffect(() => onSessionEnd(saveLocation), [])
  useEffect(() => {
    if (token !== null || leaving) return
    saveLocation()
    go(had ? ENDED_SESSION_PATH : SIGN_IN_PATH)
  }, [token, leaving, go, had])

  /** Ends the session before navigating, because navigation aborts pending calls. */
  async function end(how?: 'come back'): Promise<void> {
    if (how !== undefined) saveLocation()
    const expiredToken = readToken()
    setLeaving(true)
    clearSession()
    queryClient.clear()
    await send(logOut, {}, expiredToken).catch(() => undefined)
    go(how === undefined ? SIGN_IN_PATH : ENDED_SESSION_PATH)
  }

  const signedIn = me !== undefined && token !== null
  useEffect(() => {
    if (signedIn && savedLocation !== null) navigate(savedLocation, { replace: true })
  }, [signedIn, savedLocation])
  if (signedIn)
    return (
      <MeContext value={me}>
        <Frame onSignOut={end} />
      </MeContext>
    )
  if (token === null || error === null)
    return (
      <Alone>
        <Spinner label="Loading" />
      </Alone>
    )
  return (
    <Suspense fallback={null}>
      <AccessDenied text={toApiError(error).serverMessage ?? ''} status={toApiError(error).statusCode} onSignOut={end} />
    </Suspense>
  )
}
