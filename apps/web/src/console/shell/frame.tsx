import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { ErrorBoundary } from '../../app/error-boundary.tsx'
import { type Loadable, useLoaded } from '../../lib/http/loadable.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useMe } from '../kit/me.tsx'
import { useOverview } from '../kit/overview.ts'
import { useKeys } from '../kit/use-keys.ts'
import type { ConsolePage } from './console-page.ts'
import { pageAt, pages, pathOf, screens } from './pages.ts'
import type { Palette as PaletteView } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useIdleEnd } from './use-idle-end.ts'

const Banner = lazy(() => import('./banner.tsx').then((file) => ({ default: file.Banner })))
const KeysSheet = lazy(() => import('./keys-sheet.tsx').then((file) => ({ default: file.KeysSheet })))

const LOADING = <Spinner label="Loading" className="grid min-h-dvh content-center justify-items-center gap-2.5 p-6 text-center" />

/** Time in ms after `G` in which a letter opens a view. */
const CHORD_MS = 900

/** Frames the views: menu, platform status, search and keyboard shortcuts (staff.md 1 and 2). */
export function Frame({ onSignOut }: { onSignOut: (how?: 'come back') => Promise<void> }) {
  const me = useMe()
  const [location] = useLocation()
  const pathname = location === '/staff/' ? '/staff' : location
  const [sheet, setSheet] = useState<'search' | 'keys'>()
  const overview = useOverview()
  const open = pages.filter((view) => me.rights.includes(view.right))
  const view = pageAt(pathname, open)
  useStaffLive()
  useIdleEnd(me, () => onSignOut('come back'))
  const screen = view === undefined ? undefined : screens.get(view.name)
  useEffect(() => {
    if (pathname === '/staff' && view === undefined && open[0] !== undefined) navigate(pathOf(open[0]), { replace: true })
    document.title = `${view?.title ?? 'Staff'} · Staff`
  }, [pathname, view, open])
  useChords(open, setSheet)
  // Preloads the palette, so that text typed right after ⌘K goes into it.
  const [Palette, setPalette] = useState<typeof PaletteView>()
  useEffect(() => void import('./palette.tsx').then((file) => setPalette(() => file.Palette)), [])
  const frame = { view, views: open, work: overview.data?.work, search: () => setSheet('search'), onSignOut: () => onSignOut() }
  return (
    <div className="grid h-dvh grid-cols-[216px_minmax(0,1fr)] max-md:block max-md:h-auto max-md:min-h-screen max-md:pb-14">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Sidebar {...frame} onShortcuts={() => setSheet('keys')} />
      <main
        id="main"
        className="m-2 ml-0 flex min-h-0 min-w-0 flex-col overflow-hidden rounded-[12px] border bg-surface max-md:m-0 max-md:min-h-[calc(100vh-56px)] max-md:overflow-visible max-md:rounded-none max-md:border-0"
        tabIndex={-1}
      >
        <TopBar
          title={view?.title ?? 'Not found'}
          overview={overview}
          search={frame.search}
          onShortcuts={() => setSheet('keys')}
          onSignOut={frame.onSignOut}
        />
        <Suspense fallback={null}>
          <Banner />
        </Suspense>
        <ErrorBoundary key={view?.name ?? ''}>
          <Suspense fallback={LOADING}>{screen === undefined ? <NotThere /> : <LoadedPage module={screen} />}</Suspense>
        </ErrorBoundary>
      </main>
      <TabBar {...frame} />
      <Suspense fallback={null}>
        {sheet === 'search' && Palette !== undefined && <Palette views={open} onClose={() => setSheet(undefined)} />}
        {sheet === 'keys' && <KeysSheet views={open} onClose={() => setSheet(undefined)} />}
      </Suspense>
    </div>
  )
}

function LoadedPage({ module }: { module: Loadable<object> }) {
  const Page = useLoaded(module)
  return Page === undefined ? LOADING : <Page />
}

/** Follows staff events while the page is visible. Without a stream, the page polls (`watch`). */
function useStaffLive(): void {
  useEffect(() => {
    const abort = new AbortController()
    import('../kit/presence.ts').then(({ followPlatform }) => followPlatform(abort.signal)).catch(() => undefined)
    return () => abort.abort()
  }, [])
}

function useChords(open: readonly ConsolePage[], setSheet: (sheet: 'search' | 'keys') => void): void {
  const went = useRef(0)
  const leads = (view: ConsolePage) => () => {
    went.current = 0
    navigate(pathOf(view))
  }
  useKeys(
    () => ({
      ...(Date.now() - went.current < CHORD_MS ? Object.fromEntries(open.map((view) => [view.key ?? '', leads(view)])) : {}),
      g: () => {
        went.current = Date.now()
      },
      '?': () => setSheet('keys'),
      'mod+k': () => setSheet('search'),
    }),
    true,
  )
}

function NotThere() {
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">
      <b>Not found</b>
      <span>There is nothing at this address, or your role cannot read it.</span>
    </div>
  )
}
