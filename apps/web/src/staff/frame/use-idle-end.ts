import { useEffect, useRef } from 'react'
import { toast } from '../../ui/toast-store.ts'
import { lastTouch } from '../lib/watch.ts'

const LOOK_MS = 5_000
const WARN_MS = 60_000

/** Ends the session here when nobody touched the page for so long; the server does the same. A minute before, it says so. */
export function useIdleEnd(idleSeconds: number, onEnd: () => Promise<void>): void {
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    let warned = false
    const timer = setInterval(() => {
      const left = idleSeconds * 1000 - (Date.now() - lastTouch())
      if (left <= 0) {
        clearInterval(timer)
        void end.current()
      } else if (left <= WARN_MS && !warned) {
        warned = true
        toast('Nobody has been here for a while: the session ends in a minute. Press any key to stay.', { tone: 'warning', ms: WARN_MS })
      } else if (left > WARN_MS) warned = false
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [idleSeconds])
}
