import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Then it is drawn anyway, for who prints the page or has it read out. */
const PATIENCE_MS = 4000

/** What shows that somebody is there. */
const touches = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const

export interface WhenNearProps {
  /** Stands in its place until then, and is as high. */
  fallback: ReactNode
  /** How far outside the window it is already near: in pixels, or in percent of the window. */
  margin?: string
  /** Whether the wait begins only when the page is touched: for what many never look at, on a phone. */
  untouched?: boolean
  className?: string | undefined
  children: ReactNode
}

/** Draws something once it is near the window, or after a while. */
export function WhenNear({ fallback, margin = '400px', untouched = false, className, children }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || place.current === null) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: margin,
    })
    observer.observe(place.current)
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      timer ??= setTimeout(() => setNear(true), PATIENCE_MS)
    }
    if (!untouched) wait()
    else for (const touch of touches) addEventListener(touch, wait, { once: true, passive: true, signal: over.signal })
    return () => {
      observer.disconnect()
      over.abort()
      clearTimeout(timer)
    }
  }, [near, margin, untouched])
  return (
    <div ref={place} className={className}>
      {near ? children : fallback}
    </div>
  )
}
