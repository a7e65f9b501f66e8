import { useEffect, useState } from 'react'

/** Maximum wait for an idle moment, in ms. */
const PATIENCE_MS = 1500

/**
 * Returns true once the browser is idle, to delay content below the fold or over the page.
 * @param ready prerequisite, for example the figures at the top
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
    const handle = requestIdleCallback(show, { timeout: PATIENCE_MS })
    return () => cancelIdleCallback(handle)
  }, [ready])
  return later
}
