import { useLayoutEffect, useRef, useState } from 'react'

/** The width of an element, followed as it changes; 0 until it is known. Asks for no layout of its own. */
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
