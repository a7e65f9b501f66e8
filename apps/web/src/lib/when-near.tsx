import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Renders after this delay in ms anyway, for printing and screen readers. */
const MAX_WAIT_MS = 4000

/** Events that show an active user. */
const touches = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const

export interface WhenNearProps {
  /** Placeholder with the same height. */
  fallback: ReactNode
  /** Distance outside the window that counts as near, in pixels or percent. */
  margin?: string
  /** Starts the delay on the first interaction, for content that few phone users reach. */
  untouched?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Renders its children near the window or after a delay. */
export function WhenNear({ fallback, margin = '400px', untouched = false, className, children }: WhenNearProps) {
  const container = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || container.current === null) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: margin,
    })
    observer.observe(container.current)
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      timer ??= setTimeout(() => setNear(true), MAX_WAIT_MS)
    }
    if (!untouched) wait()
    else for (const touch of touches) addEventListener(touch, wait, { once: true, passive: true, signal: abort.signal })
    return () => {
      observer.disconnect()
      abort.abort()
      clearTimeout(timer)
    }
  }, [near, margin, untouched])
  return (
    <div ref={container} className={className}>
      {near ? children : fallback}
    </div>
  )
}
