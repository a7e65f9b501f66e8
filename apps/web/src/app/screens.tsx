import { type ComponentType, lazy } from 'react'
import type { PublicLayoutProps } from './public-layout.tsx'
import { type AppRoute, matchPath, type ScreenProps } from './routes.ts'

type Screen = ComponentType<ScreenProps>

const loaded = new Map<AppRoute, Screen>()
const waiting = new Map<AppRoute, Screen>()

async function fetchScreen(route: AppRoute, load: NonNullable<AppRoute['load']>): Promise<{ default: Screen }> {
  const file = await load()
  loaded.set(route, file.default)
  return file
}

/** Keeps a screen whose code is part of the first load. */
export function keepScreen(path: string, screen: Screen): void {
  loaded.set(matchPath(path).route, screen)
}

/** The component of a place: at once when its code is here, else one that suspends until it is. */
export function screenOf(route: AppRoute): Screen | undefined {
  const here = loaded.get(route) ?? waiting.get(route)
  const { load } = route
  if (here !== undefined || load === undefined) return here
  const screen = lazy(() => fetchScreen(route, load))
  waiting.set(route, screen)
  return screen
}

/** Forgets screens whose code did not arrive, so that they are fetched anew. */
export function forgetFailedScreens(): void {
  for (const route of waiting.keys()) if (!loaded.has(route)) waiting.delete(route)
}

/**
 * Fetches the code of a link's place before it is pressed.
 * @param pathname path without query
 */
function preloadScreen(pathname: string): void {
  const { route } = matchPath(pathname)
  if (route.load === undefined || loaded.has(route)) return
  fetchScreen(route, route.load).catch(() => undefined)
  if (route.guard === 'member') loadMemberFrame().catch(() => undefined)
}

/** The code of the frame around a member's pages, apart from the first load. */
export const loadMemberFrame = () => import('./member-frame.ts')

const LaterPublicLayout = lazy(() => import('./public-layout.tsx'))
let keptPublicLayout: ComponentType<PublicLayoutProps> | undefined

/** Keeps the frame of public pages where it is part of the first load. */
export function keepPublicLayout(layout: ComponentType<PublicLayoutProps>): void {
  keptPublicLayout = layout
}

/** The frame of public pages. */
export const publicLayout = (): ComponentType<PublicLayoutProps> => keptPublicLayout ?? LaterPublicLayout

/** Preloads on hover and focus of every link of the page; returns a function that stops it. */
export function preloadOnHover(): () => void {
  const look = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link !== null && link.origin === location.origin) preloadScreen(link.pathname)
  }
  document.addEventListener('pointerover', look, { passive: true })
  document.addEventListener('focusin', look)
  return () => {
    document.removeEventListener('pointerover', look)
    document.removeEventListener('focusin', look)
  }
}
