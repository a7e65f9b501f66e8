import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { profileQuery, useProfile } from '../members/index.ts'
import { followLanguage } from '../lib/language.ts'
import { queryClient } from '../lib/http/query.ts'
import { storeUserStatus, useToken } from '../lib/http/session.ts'
import { logOut } from '../lib/http/session-calls.ts'

/** Change stream delay after page load, in ms. */
const LIVE_AFTER_MS = 3_000

/** Pages open to unverified members (ST-34); emailed links must work too (ST-36). */
const openToUnverified = new Set(['/', '/verify-token', '/auth/signup', '/auth/verify'])

/**
 * Wraps all routes while a token is stored. It loads the profile (RT-01, RT-02), logs out blocked members (ST-35) and sends unverified
 * ones to sign-in (ST-34).
 */
export default function SessionGate() {
  const token = useToken()
  const [pathname] = useLocation()
  const { data: member } = useProfile()
  const known = useRef<string>(undefined)
  const last = useRef(token)

  useEffect(() => {
    const before = last.current
    last.current = token
    if (before === null || before === token || token === null) return
    if (queryClient.isFetching({ queryKey: profileQuery.queryKey }) === 0) {
      // A new token may belong to another member, from a sign-in in another tab.
      void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
    }
  }, [token])

  useEffect(() => {
    if (member === undefined || token === null) return
    // Clears the previous member's data.
    if (known.current !== undefined && known.current !== member.id) void queryClient.resetQueries()
    known.current = member.id
    storeUserStatus(member)
    followLanguage(member.language)
    if (!member.status) logOut()
  }, [member, token])

  useEffect(() => {
    if (member === undefined || token === null) return
    if (!member.isVerified && !openToUnverified.has(pathname)) navigate('/', { replace: true })
  }, [member, token, pathname])

  const liveFor = member?.live === true && token !== null ? member.id : undefined
  useEffect(() => {
    if (liveFor === undefined) return
    const abort = new AbortController()
    // Starts the stream late, because the page does not need it to load.
    const timer = setTimeout(() => {
      import('../lib/http/live.ts').then(
        ({ followChanges }) => followChanges(abort.signal),
        () => undefined,
      )
    }, LIVE_AFTER_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [liveFor])

  return null
}
