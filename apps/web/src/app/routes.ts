import type { ComponentType } from 'react'
import { loadTexts } from '../lib/language.ts'
import { memberRoutes, notFound, type PageRoute, publicRoutes } from './page-routes.ts'

export interface ScreenProps {
  /** Path parameters. */
  params: { id?: string }
  title: string
}

type Screen = ComponentType<ScreenProps>

export interface ScreenFile {
  default: Screen
  /** Prefetches the screen's first data. */
  prefetch?: () => Promise<void>
}

export interface AppRoute extends PageRoute {
  guard: 'public' | 'member'
  /** Loads the screen's code. */
  load: () => Promise<ScreenFile>
}

const screens = import.meta.glob<ScreenFile>('./*/*.screen.tsx', { base: '../' })

const routeOf = (page: PageRoute, guard: AppRoute['guard']): AppRoute => {
  const load = async (): Promise<ScreenFile> => {
    const file = screens[`./${page.screen}.screen.tsx`]
    if (file === undefined) throw new Error(`There is no screen ${page.screen}`)
    // Before the code, because some constants translate their texts when it runs.
    if (globalThis.languageAhead !== undefined) await loadTexts(page.group)
    if (page.reads !== true) return await file()
    const [{ withQueries }, screen] = await Promise.all([import('./query-provider.tsx'), file()])
    return { default: withQueries(screen.default) }
  }
  return {
    ...page,
    get title() {
      return page.title
    },
    guard,
    load,
  }
}

const notFoundRoute = routeOf(notFound, 'public')
const routes = [...publicRoutes.map((page) => routeOf(page, 'public')), ...memberRoutes.map((page) => routeOf(page, 'member'))]
const literal = new Map(routes.map((route) => [route.path, route]))
const patterns = routes
  .filter((route) => route.path.includes(':'))
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }))

/** A path's route and parameters. */
export interface Match {
  route: AppRoute
  params: ScreenProps['params']
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Finds a path's route; case and underscores matter (RT-24, RT-42). */
export function matchPath(pathname: string): Match {
  const exact = literal.get(pathname)
  if (exact !== undefined) return { route: exact, params: {} }
  for (const { route, pattern } of patterns) {
    const id = pattern.exec(pathname)?.[1]
    if (id !== undefined) return { route, params: { id: decode(id) } }
  }
  return { route: notFoundRoute, params: {} }
}
