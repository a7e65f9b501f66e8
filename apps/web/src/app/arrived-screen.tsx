import { type ReactNode, useEffect } from 'react'

/** The path that was shown last; null before the first screen. */
let shown: string | null = null
/** Whether the last move was Back or Forward: the browser then puts the scroll position back itself. */
let travelled = false

if (typeof window !== 'undefined') {
  addEventListener('popstate', () => (travelled = true))
  addEventListener('pushState', () => (travelled = false))
  addEventListener('replaceState', () => (travelled = false))
}

export interface ArrivedScreenProps {
  title: string
  pathname: string
  children: ReactNode
}

/**
 * Runs once a screen is really there: the page's title (GN-30), and after a move inside the app the top of the page and
 * the focus on its heading, so that a screen reader says where one is.
 */
export function ArrivedScreen({ title, pathname, children }: ArrivedScreenProps) {
  useEffect(() => {
    document.title = title
    if (shown !== null && shown !== pathname) {
      if (!travelled) scrollTo(0, 0)
      const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
    shown = pathname
  }, [title, pathname])
  return children
}
