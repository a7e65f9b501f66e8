import { useEffect, useState } from 'react'

/**
 * Counts down whole seconds to a time; 0 if it has passed or is null.
 * @param until epoch milliseconds, or null for no countdown
 * @param ahead ms by which the server's clock, which set `until`, is ahead of the browser's clock
 */
export function useCountdown(until: number | null, ahead = 0): number {
  const [now, setNow] = useState(() => Date.now())
  const [from, setFrom] = useState(until)
  // Restarts from the current time when the end changes; otherwise the first render shows too many seconds.
  if (from !== until) {
    setFrom(until)
    setNow(Date.now())
  }
  useEffect(() => {
    if (until === null) return
    const update = (): void => {
      setNow(Date.now())
      if (Date.now() + ahead >= until) clearInterval(timer)
    }
    const timer = setInterval(update, 1000)
    update()
    // Browsers throttle background tabs, so it reads the clock when the tab returns.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [until, ahead])
  return until === null ? 0 : Math.max(0, Math.ceil((until - ahead - now) / 1000))
}
