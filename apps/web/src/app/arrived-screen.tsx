import { type ReactNode, useEffect } from 'react'

/** Last rendered path; null before the first screen. */
let shown: string | null = null
/** True after Back or Forward, when the browser restores the scroll position itself. */
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
 * Runs each time after a screen has rendered. It sets the page title (GN-30). After a navigation it scrolls up and focuses the heading for
 * screen readers.
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
