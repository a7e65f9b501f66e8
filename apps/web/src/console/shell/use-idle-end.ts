import { useEffect, useRef } from 'react'
import { toast } from '../../ui/toast-store.ts'
import { lastTouch } from '../kit/watch.ts'

const POLL_MS = 5_000
const WARN_MS = 60_000

/**
 * Ends the session after inactivity or at its latest end; the server does the same. Warns a minute before: any key extends an idle
 * session, while the latest end needs a new sign-in.
 */
export function useIdleEnd({ idleSeconds, endsAt }: { idleSeconds: number; endsAt: Date }, onEnd: () => Promise<void>): void {
  const end = useRef(onEnd)
  end.current = onEnd
  const ends = endsAt.getTime()
  useEffect(() => {
    let warned: 'idle' | 'over' | undefined
    const timer = setInterval(() => {
      const idle = idleSeconds * 1000 - (Date.now() - lastTouch())
      const over = ends - Date.now()
      const left = Math.min(idle, over)
      const why = over <= idle ? 'over' : 'idle'
      if (left <= 0) {
        clearInterval(timer)
        void end.current()
      } else if (left > WARN_MS) warned = undefined
      else if (warned !== why) {
        warned = why
        const text =
          why === 'idle'
            ? 'No activity for a while: the session ends in a minute. Press any key to stay.'
            : 'The session ends in a minute, at its daily limit. Your text is saved. Please sign in again then.'
        toast(text, { tone: 'warning', ms: WARN_MS })
      }
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [idleSeconds, ends])
}
