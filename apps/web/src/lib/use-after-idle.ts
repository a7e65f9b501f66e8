import { useEffect, useState } from 'react'

/** Maximum wait for an idle moment, in ms. */
const MAX_WAIT_MS = 1500

/**
 * Returns true once the browser is idle, to delay content below the fold or over the page.
 * @param ready prerequisite, for example the figures at the top
 */
export function useAfterIdle(ready = true): boolean {
  const [isDeferredReady, setReady] = useState(false)
  useEffect(() => {
    if (!ready) return
    const show = (): void => setReady(true)
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(show, MAX_WAIT_MS / 10)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(show, { timeout: MAX_WAIT_MS })
    return () => cancelIdleCallback(handle)
  }, [ready])
  return isDeferredReady
}
