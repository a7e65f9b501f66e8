import { useEffect, useState } from 'react'

/** Waits at most so long for a quiet moment, in milliseconds. */
const PATIENCE_MS = 1500

/**
 * True from the first moment in which the browser has nothing else to do: for what stands out of sight or over the page,
 * so that what is looked for comes first.
 * @param ready what has to be there before, as the figures at the top
 */
export function useLater(ready = true): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    if (!ready) return
    const show = (): void => setLater(true)
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(show, PATIENCE_MS / 10)
      return () => clearTimeout(timer)
    }
    const wish = requestIdleCallback(show, { timeout: PATIENCE_MS })
    return () => cancelIdleCallback(wish)
  }, [ready])
  return later
}
