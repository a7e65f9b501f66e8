import { inputErrors } from '@tizara/contract/errors'
import { logOut } from '@tizara/contract/session'
import { staffMe } from '@tizara/contract/staff'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { Hosts } from '../app/hosts.tsx'
import { toApiError } from '../lib/api.ts'
import { send } from '../lib/http.ts'
import { queryClient, read } from '../lib/query.ts'
import { clearSession, readToken, useToken } from '../lib/session.ts'
import { BrandMark } from '../ui/art/brand-mark.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Frame } from './frame/frame.tsx'
import { MeContext } from './lib/me.tsx'

const replacePage = (href: string): void => location.replace(href)

/**
 * Everything below `/staff` (GN-04, RT-17): who is signed in and may do what, then the frame with the views of that role.
 * @param props `go`: leads to another page of the product
 */
export function Console({ go = replacePage }: { go?: (href: string) => void }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Gate go={go} />
      <Hosts />
    </QueryClientProvider>
  )
}

/** Where somebody was whose session ended: signing in again leads there, and what was typed stands there still (drafts.ts). */
const PLACE = 'staff-place'

function keepPlace(): void {
  try {
    if (location.pathname.startsWith('/staff/')) sessionStorage.setItem(PLACE, location.pathname + location.search)
  } catch {
    // Without storage the overview is where one starts.
  }
}

function takePlace(): string | null {
  try {
    const place = sessionStorage.getItem(PLACE)
    sessionStorage.removeItem(PLACE)
    return location.pathname === '/staff' ? place : null
  } catch {
    return null
  }
}

function Gate({ go }: { go: (href: string) => void }) {
  const token = useToken()
  const [leaving, setLeaving] = useState(false)
  const [back] = useState(() => (token === null ? null : takePlace()))
  const { data: me, error } = useQuery({ ...read(staffMe), enabled: token !== null, retry: 1 })
  useEffect(() => {
    if (token !== null || leaving) return
    keepPlace()
    go('/auth-admin')
  }, [token, leaving, go])

  /** The server is told before the page goes: a call on its way would be dropped. */
  async function end(how?: 'come back'): Promise<void> {
    if (how !== undefined) keepPlace()
    const ended = readToken()
    setLeaving(true)
    clearSession()
    queryClient.clear()
    await send(logOut, {}, ended).catch(() => undefined)
    go('/auth-admin')
  }

  const signedIn = me !== undefined && token !== null
  useEffect(() => {
    if (signedIn && back !== null) navigate(back, { replace: true })
  }, [signedIn, back])
  if (signedIn)
    return (
      <MeContext value={me}>
        <Frame onEnd={end} />
      </MeContext>
    )
  if (token === null || error === null)
    return (
      <Alone>
        <Spinner label="Loading" />
      </Alone>
    )
  return <Refused text={toApiError(error).serverMessage ?? ''} status={toApiError(error).statusCode} onEnd={end} />
}

function Refused({ text, status, onEnd }: { text: string; status: number; onEnd: () => Promise<void> }) {
  const needsApp = text === inputErrors.STAFF_SECOND_FACTOR.message
  const [title, why] = needsApp
    ? ['Set up an authenticator app first', 'Staff work with a second factor. Set the app up in your profile, then sign in with it.']
    : status === 404
      ? ['This page is for staff', 'Your account is a member’s.']
      : ['The console could not be opened', 'The account could not be read. Please load the page again.']
  return (
    <Alone>
      <h1>{title}</h1>
      <p className="mut">{why}</p>
      <p className="row wrap mt16" style={{ justifyContent: 'center' }}>
        <a className="btn pri" href={needsApp ? '/profile' : status === 404 ? '/dashboard' : '/staff'}>
          {needsApp ? 'Profile and authenticator app' : status === 404 ? 'Go to the dashboard' : 'Try again'}
        </a>
        <button type="button" className="btn" onClick={() => void onEnd()}>
          Log Out
        </button>
      </p>
    </Alone>
  )
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="alone">
      <BrandMark size={36} />
      {children}
    </main>
  )
}
