import { type ComponentType, lazy, type ReactNode } from 'react'
import type { PublicLayoutProps } from './public-layout.tsx'
import { type AppRoute, matchPath, type ScreenFile, type ScreenProps } from './routes.ts'

type Screen = ComponentType<ScreenProps>

const loaded = new Map<AppRoute, Screen>()
const waiting = new Map<AppRoute, Screen>()
const failed = new Set<AppRoute>()

async function fetchScreen(route: AppRoute, load: NonNullable<AppRoute['load']>): Promise<ScreenFile> {
  const file = await load()
  loaded.set(route, file.default)
  return file
}

/** Keeps a screen whose code is part of the first load. */
export function keepScreen(path: string, screen: Screen): void {
  loaded.set(matchPath(path).route, screen)
}

/**
 * The component of a place: at once when its code is here, else one that suspends until it is. The same one for good: a
 * screen that is drawn with another is a new screen, and what was typed into it is gone.
 */
export function screenOf(route: AppRoute): Screen | undefined {
  const here = waiting.get(route) ?? loaded.get(route)
  const { load } = route
  if (here !== undefined || load === undefined) return here
  const screen = lazy(() =>
    fetchScreen(route, load).catch((error: unknown) => {
      failed.add(route)
      throw error
    }),
  )
  waiting.set(route, screen)
  return screen
}

/** Forgets screens and the frame when their code did not arrive, so that they are fetched anew. */
export function forgetFailedScreens(): void {
  if (loadedFrame === undefined) usedFrame = undefined
  for (const route of failed) waiting.delete(route)
  failed.clear()
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

type MemberFrame = typeof import('./member-frame.ts')

let loadedFrame: MemberFrame | undefined
let usedFrame: { MemberLayout: ComponentType<{ children: ReactNode }>; SessionGate: ComponentType } | undefined

/** The code of the frame around a member's pages, apart from the first load. */
async function loadMemberFrame(): Promise<MemberFrame> {
  loadedFrame = await import('./member-frame.ts')
  return loadedFrame
}

const laterFrame = () => ({
  MemberLayout: lazy(async () => ({ default: (await loadMemberFrame()).MemberLayout })),
  SessionGate: lazy(async () => ({ default: (await loadMemberFrame()).SessionGate })),
})

/** The frame around a member's pages: at once when its code is here, else parts that suspend until it is; the same for good. */
export const memberFrame = () => (usedFrame ??= loadedFrame ?? laterFrame())

/** How long a place whose code is here waits for its first figures, in milliseconds, before it shows their room instead. */
const PATIENCE_MS = 250

/**
 * Fetches all code of a member's place, and what it says first. What is drawn after that is drawn whole, in one go.
 * @param pathname path without query
 */
export async function loadMemberPlace(pathname: string): Promise<void> {
  const { route } = matchPath(pathname)
  if (route.guard !== 'member') return
  const [frame, screen] = await Promise.allSettled([loadMemberFrame(), route.load && fetchScreen(route, route.load)])
  const frameLook = frame.status === 'fulfilled' ? frame.value.firstLook() : undefined
  const screenLook = screen.status === 'fulfilled' ? screen.value?.firstLook?.() : undefined
  await Promise.race([Promise.all([frameLook, screenLook]), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

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
