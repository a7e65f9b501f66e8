import { useCallback, useSyncExternalStore } from 'react'

/** Screens below the theme's `sm` width. */
export const PHONE = '(max-width: 639.98px)'
/** Screens that fit a sidebar beside the page (UI-LAYOUT-03). */
export const WIDE = '(min-width: 1024px)'

/**
 * Returns true while the screen matches a media query. Use it where the order of parts depends on the screen: with CSS alone, the reading
 * order would differ from the visible order.
 * @param drawn value while the page is prerendered
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
