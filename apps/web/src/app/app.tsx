import { createContext, Suspense, use, useEffect, useRef, useState } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { useLoaded } from '../lib/http/loadable.ts'
import { openSignInPage, useToken } from '../lib/http/session.ts'
import { ArrivedScreen } from './arrived-screen.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { PartBoundary } from './part-boundary.tsx'
import { Hosts } from './hosts.tsx'
import { FrameSpinner, PageSpinner } from './page-spinner.tsx'
import { type Match, matchPath } from './routes.ts'
import { createScreens, type Screens } from './screens.tsx'

const ScreensContext = createContext<Screens | null>(null)

function useScreens(): Screens {
  const screens = use(ScreensContext)
  if (screens === null) throw new Error('there are no screens around this')
  return screens
}

/**
 * The whole app: profile gate (RT-01), the URL's page, and message hosts. Loads member-only code once there is a token.
 * @param props `ssrPath`: path to prerender in the build; `screens`: already loaded code
 */
export function App({ ssrPath, screens: provided }: { ssrPath?: string; screens?: Screens }) {
  const [screens] = useState(() => provided ?? createScreens())
  useEffect(() => screens.preloadOnHover(), [screens])
  return (
    <Router {...(ssrPath === undefined ? {} : { ssrPath })}>
      <ScreensContext value={screens}>
        <CurrentRoute />
        <Session />
      </ScreensContext>
      <PartBoundary>
        <Hosts />
      </PartBoundary>
    </Router>
  )
}

/** Renders the gate during a session, and leaves member pages when it ends here or in another tab. */
function Session() {
  const token = useToken()
  const screens = useScreens()
  const before = useRef(token)
  useEffect(() => {
    if (before.current !== null && token === null) openSignInPage()
    before.current = token
  }, [token])
  if (token === null) return null
  const { SessionGate } = screens.memberFrame()
  return (
    <PartBoundary>
      <Suspense fallback={null}>
        <SessionGate />
      </Suspense>
    </PartBoundary>
  )
}

function CurrentRoute() {
  const [pathname] = useLocation()
  const match = matchPath(pathname)
  return match.route.guard === 'member' ? (
    <MemberRoute match={match} pathname={pathname} />
  ) : (
    <PublicRoute match={match} pathname={pathname} />
  )
}

interface RouteProps {
  match: Match
  pathname: string
}

function PublicRoute({ match, pathname }: RouteProps) {
  const screens = useScreens()
  const PublicLayout = screens.publicLayout()
  return (
    <ErrorBoundary>
      <Suspense fallback={<PageSpinner tall />}>
        <PublicLayout frame={match.route.frame}>
          <Content match={match} pathname={pathname} />
        </PublicLayout>
      </Suspense>
    </ErrorBoundary>
  )
}

/** Redirects visitors to the sign-in page and keeps the requested page in history state (RT-04 to RT-07). */
function MemberRoute({ match, pathname }: RouteProps) {
  const token = useToken()
  const screens = useScreens()
  if (token === null) return <Redirect to="/" replace state={{ from: pathname + location.search }} />
  const { MemberLayout } = screens.memberFrame()
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

function Content(route: RouteProps) {
  return (
    <ErrorBoundary key={route.pathname}>
      <Suspense fallback={<PageSpinner />}>
        <LoadedScreen {...route} />
      </Suspense>
    </ErrorBoundary>
  )
}

function LoadedScreen({ match, pathname }: RouteProps) {
  const Screen = useLoaded(useScreens().screenOf(match.route))
  if (Screen === undefined) return <PageSpinner />
  return (
    <ArrivedScreen title={match.route.title} pathname={pathname}>
      <Screen params={match.params} title={match.route.title} />
    </ArrivedScreen>
  )
}
