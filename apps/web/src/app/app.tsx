import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { queryClient } from '../lib/query.ts'
import { useToken } from '../lib/session.ts'
import { MessageHost } from '../ui/message-box.tsx'
import { ToastHost } from '../ui/toast.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { ArrivedScreen } from './arrived-screen.tsx'
import { PageSpinner } from './page-spinner.tsx'
import { PublicLayout } from './public-layout.tsx'
import { type Match, matchPath } from './routes.ts'
import { loadMemberLayout, preloadOnHover, screenOf } from './screens.tsx'
import { SessionGate } from './session-gate.tsx'

const MemberLayout = lazy(loadMemberLayout)

/**
 * The whole app: providers, the profile wrapper (RT-01), the place that the address names, and the hosts of messages.
 * @param props `ssrPath`: the place to draw where there is no address, for the build
 */
export function App({ ssrPath }: { ssrPath?: string }) {
  useEffect(preloadOnHover, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Router ssrPath={ssrPath}>
        <SessionGate>
          <Place />
        </SessionGate>
      </Router>
      <MessageHost />
      <ToastHost />
    </QueryClientProvider>
  )
}

function Place() {
  const [pathname] = useLocation()
  const match = matchPath(pathname)
  return match.route.guard === 'member' ? <MemberPlace match={match} pathname={pathname} /> : <PublicPlace match={match} pathname={pathname} />
}

interface PlaceProps {
  match: Match
  pathname: string
}

function PublicPlace({ match, pathname }: PlaceProps) {
  return (
    <PublicLayout bare={match.route.bare}>
      <Content match={match} pathname={pathname} />
    </PublicLayout>
  )
}

/** Who is not signed in goes to the sign-in page; the place they wanted stays in the history state (RT-04 to RT-07). */
function MemberPlace({ match, pathname }: PlaceProps) {
  const token = useToken()
  if (token === null) return <Redirect to="/" replace state={{ from: pathname + location.search }} />
  return (
    <Suspense fallback={<PageSpinner tall />}>
      <MemberLayout>
        <Content match={match} pathname={pathname} />
      </MemberLayout>
    </Suspense>
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
