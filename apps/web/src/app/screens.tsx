import { type ComponentType, lazy, type ReactNode } from 'react'
import type * as memberFrame from './member-frame.ts'
import type { PublicLayoutProps } from './public-layout.tsx'
import { type AppRoute, matchPath, type ScreenFile, type ScreenProps } from './routes.ts'

type Screen = ComponentType<ScreenProps>
type MemberFrame = typeof memberFrame

/** How long a place whose code is here waits for its first figures, in milliseconds, before it shows their room instead. */
const PATIENCE_MS = 250

/** Code of the drawn sign-in page that is part of the first load. */
export interface FirstLoad {
  layout: ComponentType<PublicLayoutProps>
  signIn: ComponentType<object>
}

/** The code of screens and frames: what has arrived, and what is on its way. */
export type Screens = ReturnType<typeof createScreens>

/** Keeps the code of one app's screens and frames. */
export function createScreens(first?: FirstLoad) {
  const loaded = new Map<AppRoute, Screen>()
  const waiting = new Map<AppRoute, Screen>()
  const PublicLayout = first?.layout ?? lazy(() => import('./public-layout.tsx'))
  let loadedFrame: MemberFrame | undefined
  let usedFrame: { MemberLayout: ComponentType<{ children: ReactNode }>; SessionGate: ComponentType } | undefined
  if (first !== undefined) for (const path of ['/', '/auth/signin']) loaded.set(matchPath(path).route, first.signIn as Screen)

  async function fetchScreen(route: AppRoute): Promise<ScreenFile> {
    const file = await route.load()
    loaded.set(route, file.default)
    return file
  }

  /** The code of the frame around a member's pages, apart from the first load. */
  async function loadMemberFrame(): Promise<MemberFrame> {
    loadedFrame = await import('./member-frame.ts')
    return loadedFrame
  }

  const laterFrame = () => ({
    MemberLayout: lazy(async () => ({ default: (await loadMemberFrame()).MemberLayout })),
    SessionGate: lazy(async () => ({ default: (await loadMemberFrame()).SessionGate })),
  })

  /** Fetches the code of a link's place before it is pressed. */
  function preload(pathname: string): void {
    const { route } = matchPath(pathname)
    if (loaded.has(route)) return
    fetchScreen(route).catch(() => undefined)
    if (route.guard === 'member') loadMemberFrame().catch(() => undefined)
  }

  return {
    /** The frame of public pages. */
    PublicLayout,

    /** The frame around a member's pages: at once when its code is here, else parts that suspend until it is; the same for good. */
    memberFrame: () => (usedFrame ??= loadedFrame ?? laterFrame()),

    /**
     * The component of a place: at once when its code is here, else one that suspends until it is. The same one for good: a
     * screen that is drawn with another is a new screen, and what was typed into it is gone.
     */
    screenOf(route: AppRoute): Screen {
      const here = waiting.get(route) ?? loaded.get(route)
      if (here !== undefined) return here
      const screen = lazy(() => fetchScreen(route))
      waiting.set(route, screen)
      return screen
    },

    /** Fetches all code of a member's place, and what it says first. What is drawn after that is drawn whole, in one go. */
    async loadMemberPlace(pathname: string): Promise<void> {
      const { route } = matchPath(pathname)
      if (route.guard !== 'member') return
      const [frame, screen] = await Promise.allSettled([loadMemberFrame(), fetchScreen(route)])
      const frameLook = frame.status === 'fulfilled' ? frame.value.firstLook() : undefined
      const screenLook = screen.status === 'fulfilled' ? screen.value.firstLook?.() : undefined
      await Promise.race([Promise.all([frameLook, screenLook]), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
    },

    /** Preloads on hover and focus of every link of the page; returns a function that stops it. */
    preloadOnHover(): () => void {
      const look = (event: Event): void => {
        const link = event.target instanceof Element ? event.target.closest('a') : null
        if (link !== null && link.origin === location.origin) preload(link.pathname)
      }
      document.addEventListener('pointerover', look, { passive: true })
      document.addEventListener('focusin', look)
      return () => {
        document.removeEventListener('pointerover', look)
        document.removeEventListener('focusin', look)
      }
    },
  }
}
