import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Then it is drawn anyway, for who prints the page or has it read out. */
const PATIENCE_MS = 4000

/** How far outside the window something is already near, in pixels. */
const NEAR = '400px'

export interface WhenNearProps {
  /** Stands in its place until then, and is as high. */
  fallback: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** Draws a picture once it is near the window, or after a while. */
export function WhenNear({ fallback, className, children }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || place.current === null) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    })
    observer.observe(place.current)
    const timer = setTimeout(() => setNear(true), PATIENCE_MS)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [near])
  return (
    <div ref={place} className={className}>
      {near ? children : fallback}
    </div>
  )
}
