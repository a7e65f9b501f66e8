import { useCallback, useSyncExternalStore } from 'react'

/** Screens below the theme's `sm` width. */
export const PHONE = '(max-width: 639.98px)'
/** Screens that fit a sidebar beside the page (UI-LAYOUT-03). */
export const WIDE = '(min-width: 1024px)'

/**
 * Returns true while the screen matches a media query. For an order or a part that depends on the screen, as CSS alone would separate the
 * reading order from the visible one.
 * @param drawn the value for prerendering
 */
export function useMedia(query: string, drawn: boolean): boolean {
  const follow = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    follow,
    () => matchMedia(query).matches,
    () => drawn,
  )
}
