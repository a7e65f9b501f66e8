import { Suspense, useEffect, useRef } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { leave, useToken } from '../lib/session.ts'
import { ArrivedScreen } from './arrived-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Hosts } from './hosts.tsx'
import { FrameSpinner, PageSpinner } from './page-spinner.tsx'
import { type Match, matchPath } from './routes.ts'
import { memberFrame, preloadOnHover, publicLayout, screenOf } from './screens.tsx'

/**
 * The whole app: the profile gate (RT-01), the place that the address names, and the hosts of messages. What only members
 * need is fetched once there is a token.
 * @param props `ssrPath`: the place to draw where there is no address, for the build
 */
export function App({ ssrPath }: { ssrPath?: string }) {
  useEffect(preloadOnHover, [])
  return (
    <Router {...(ssrPath === undefined ? {} : { ssrPath })}>
      <Place />
      <Session />
      <Hosts />
    </Router>
  )
}

/** Follows the session: the gate while there is one; a session that ends, here or in another tab, leaves its pages. */
function Session() {
  const token = useToken()
  const before = useRef(token)
  useEffect(() => {
    if (before.current !== null && token === null) leave()
    before.current = token
  }, [token])
  if (token === null) return null
  const { SessionGate } = memberFrame()
  return (
    <Suspense fallback={null}>
      <SessionGate />
    </Suspense>
  )
}

function Place() {
  const [pathname] = useLocation()
  const match = matchPath(pathname)
  return match.route.guard === 'member' ? (
    <MemberPlace match={match} pathname={pathname} />
  ) : (
    <PublicPlace match={match} pathname={pathname} />
  )
}

interface PlaceProps {
  match: Match
  pathname: string
}

function PublicPlace({ match, pathname }: PlaceProps) {
  const Layout = publicLayout()
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner tall />}>
        <Layout frame={match.route.frame}>
          <Content match={match} pathname={pathname} />
        </Layout>
      </Suspense>
    </ErrorBoundary>
  )
}

/** Who is not signed in goes to the sign-in page; the place they wanted stays in the history state (RT-04 to RT-07). */
function MemberPlace({ match, pathname }: PlaceProps) {
  const token = useToken()
  if (token === null) return <Redirect to="/" replace state={{ from: pathname + location.search }} />
  const { MemberLayout } = memberFrame()
  return (
    <ErrorBoundary>
      <Suspense fallback={<FrameSpinner />}>
        <MemberLayout>
          <Content match={match} pathname={pathname} />
        </MemberLayout>
      </Suspense>
    </ErrorBoundary>
  )
}

function Content({ match, pathname }: PlaceProps) {
  const Screen = screenOf(match.route)
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<PageSpinner />}>
        <ArrivedScreen title={match.route.title} pathname={pathname}>
          {Screen && <Screen params={match.params} />}
        </ArrivedScreen>
      </Suspense>
    </ErrorBoundary>
  )
}
