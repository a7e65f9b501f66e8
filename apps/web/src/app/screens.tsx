import { type ComponentType, lazy, type ReactNode } from 'react'
import type { Loadable } from '../lib/http/loadable.ts'
import { readToken } from '../lib/http/session.ts'
import type * as memberFrame from './frame/member-frame.ts'
import type { PublicLayoutProps } from './frame/public-layout.tsx'
import { type AppRoute, matchPath, type ScreenFile, type ScreenProps } from './routes.ts'

type Screen = ComponentType<ScreenProps>
type MemberFrame = typeof memberFrame

/** Maximum wait for a loaded page's first figures, in milliseconds, before it shows placeholders. */
const MAX_WAIT_MS = 250

/** Code in the prerendered sign-in page's first load. */
export interface FirstLoad {
  layout: ComponentType<PublicLayoutProps>
  signIn: ComponentType<object>
}

/** Loaded and loading code for screens and frames. */
export type Screens = ReturnType<typeof createScreens>

/** Creates the code cache for one app's screens and frames. */
export function createScreens(first?: FirstLoad) {
  const loaded = new Map<AppRoute, Screen>()
  const modules = new Map<AppRoute, Loadable<ScreenProps>>()
  let loadedLayout = first?.layout
  let usedLayout: ComponentType<PublicLayoutProps> | undefined
  let loadedFrame: MemberFrame | undefined
  let usedFrame: { MemberLayout: ComponentType<{ children: ReactNode }>; SessionGate: ComponentType } | undefined
  if (first !== undefined) for (const path of ['/', '/auth/signin']) loaded.set(matchPath(path).route, first.signIn as Screen)

  async function fetchScreen(route: AppRoute): Promise<ScreenFile> {
    const file = await route.load()
    loaded.set(route, file.default)
    return file
  }

  /** Loads the public pages' layout. */
  async function loadPublicLayout(): Promise<{ default: ComponentType<PublicLayoutProps> }> {
    const file = await import('./frame/public-layout.tsx')
    loadedLayout ??= file.default
    return file
  }

  /** Loads the member pages' frame, which is not in the first load. */
  async function loadMemberFrame(): Promise<MemberFrame> {
    loadedFrame = await import('./frame/member-frame.ts')
    return loadedFrame
  }

  const lazyFrame = () => ({
    MemberLayout: lazy(async () => ({ default: (await loadMemberFrame()).MemberLayout })),
    SessionGate: lazy(async () => ({ default: (await loadMemberFrame()).SessionGate })),
  })

  /** Preloads the code for a link's page. */
  function preload(pathname: string): void {
    const { route } = matchPath(pathname)
    if (loaded.has(route)) return
    fetchScreen(route).catch(() => undefined)
    if (route.guard === 'member') loadMemberFrame().catch(() => undefined)
  }

  return {
    /** Returns the public pages' layout: loaded, or suspending until loaded. Never changes once used. */
    publicLayout: () => (usedLayout ??= loadedLayout ?? lazy(loadPublicLayout)),

    /** Returns the member pages' frame: loaded, or suspending until loaded. Never changes once used. */
    memberFrame: () => (usedFrame ??= loadedFrame ?? lazyFrame()),

    /** Returns a page's module: the same for each call, because another one would discard entered values. */
    screenOf(route: AppRoute): Loadable<ScreenProps> {
      const known = modules.get(route)
      if (known !== undefined) return known
      const module = { loaded: () => loaded.get(route), load: () => fetchScreen(route) }
      modules.set(route, module)
      return module
    },

    /**
     * Loads a page's code and a member page's first data, so that the page renders in one step. A page that loads only after its spinner was
     * drawn waits 300 ms longer, because React keeps a fallback for that time. Visitors of a member page get the sign-in page.
     */
    async loadPage(pathname: string): Promise<void> {
      const wanted = matchPath(pathname).route
      const route = wanted.guard === 'member' && readToken() === null ? matchPath('/').route : wanted
      if (route.guard !== 'member') {
        await Promise.allSettled([loadPublicLayout(), fetchScreen(route), ...(readToken() === null ? [] : [loadMemberFrame()])])
        return
      }
      const [frame, screen] = await Promise.allSettled([loadMemberFrame(), fetchScreen(route)])
      const frameData = frame.status === 'fulfilled' ? frame.value.prefetchProfile() : undefined
      const screenData = screen.status === 'fulfilled' ? screen.value.prefetch?.() : undefined
      await Promise.race([Promise.all([frameData, screenData]), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
    },

    /** Preloads on any link's hover and focus; returns a function that stops it. */
    preloadOnHover(): () => void {
      const preloadLink = (event: Event): void => {
        const link = event.target instanceof Element ? event.target.closest('a') : null
        if (link !== null && link.origin === location.origin) preload(link.pathname)
      }
      document.addEventListener('pointerover', preloadLink, { passive: true })
      document.addEventListener('focusin', preloadLink)
      return () => {
        document.removeEventListener('pointerover', preloadLink)
        document.removeEventListener('focusin', preloadLink)
      }
    },
  }
}
