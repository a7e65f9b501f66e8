import { useEffect, useState } from 'react'

/**
 * Whole seconds until a moment, counted down once a second; 0 when it has passed or there is none.
 * @param until epoch milliseconds, or null for no countdown
 * @param ahead by how many milliseconds the clock that `until` was read from is ahead of the browser's
 */
export function useCountdown(until: number | null, ahead = 0): number {
  const [now, setNow] = useState(() => Date.now())
  const [from, setFrom] = useState(until)
  // A new end is not counted to from when the old one was last looked at: the first picture would show too many seconds.
  if (from !== until) {
    setFrom(until)
    setNow(Date.now())
  }
  useEffect(() => {
    if (until === null) return
    const look = (): void => {
      setNow(Date.now())
      if (Date.now() + ahead >= until) clearInterval(timer)
    }
    const timer = setInterval(look, 1000)
    look()
    // A tab in the background is woken rarely: look at the clock when it comes back.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [until, ahead])
  return until === null ? 0 : Math.max(0, Math.ceil((until - ahead - now) / 1000))
}
