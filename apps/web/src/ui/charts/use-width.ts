import { useLayoutEffect, useRef, useState } from 'react'

/** Tracks an element's width; 0 until the first measurement. Does not force a layout. */
export function useWidth<E extends Element = HTMLDivElement>() {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
