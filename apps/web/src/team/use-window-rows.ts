import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'

/** Pixels rendered above and below the window. */
const MARGIN = 600

/** Position of a row range. */
export interface WindowRows {
  /** Ref for the element around the rows. */
  box: (element: HTMLElement | null) => void
  /** Ref for each row, which also has its key in `data-key`. */
  row: (element: HTMLElement | null) => (() => void) | undefined
  first: number
  /** Index after the last row to render. */
  end: number
  /** Height of the unrendered rows, in pixels. */
  before: number
  after: number
  /**
   * For the box: `none` while rows below the window change. Scroll anchoring remembers a position clamped by the page end and would
   * restore it when the page grows.
   */
  overflowAnchor: 'auto' | 'none'
  /** Scrolls to a row. */
  show: (index: number) => void
}

/** Returns the last index whose offset is at or before a position. */
function indexAt(offsets: Float64Array, index: number): number {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Renders only rows near the window in a scrolling page. Rows have any height, measured after rendering.
 * @param keys the rows, in order
 * @param estimate an unmeasured row's height, in pixels
 */
export function useWindowRows(keys: readonly string[], estimate: number): WindowRows {
  const [element, box] = useState<HTMLElement | null>(null)
  const [sight, setSight] = useState({ top: 0, bottom: 1500 })
  const [measured, remeasure] = useReducer((count: number) => count + 1, 0)
  const [heights] = useState(() => new Map<string, number>())
  const search = useRef<number>(null)

  const offsets = useMemo(() => {
    const sums = new Float64Array(keys.length + 1)
    for (let i = 0; i < keys.length; i += 1) sums[i + 1] = (sums[i] ?? 0) + (heights.get(keys[i] ?? '') ?? estimate)
    return sums
    // oxlint-disable-next-line react/exhaustive-deps -- `measured` signals changes in the map
  }, [keys, heights, estimate, measured])

  const [observer] = useState(() =>
    typeof ResizeObserver === 'undefined'
      ? undefined
      : new ResizeObserver((entries) => {
          let changed = false
          for (const { target } of entries) {
            const key = target instanceof HTMLElement ? target.dataset['key'] : undefined
            const height = target.getBoundingClientRect().height
            if (key === undefined || height === 0 || heights.get(key) === height) continue
            heights.set(key, height)
            changed = true
          }
          if (changed) remeasure()
        }),
  )
  useEffect(() => () => observer?.disconnect(), [observer])

  useEffect(() => {
    if (element === null) return
    let frame = 0
    const update = (): void => {
      frame = 0
      const top = Math.round(-element.getBoundingClientRect().top / 100) * 100
      setSight((old) => (old.top === top && old.bottom === top + innerHeight ? old : { top, bottom: top + innerHeight }))
    }
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(update)
    }
    update()
    addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
    }
  }, [element])

  const row = useCallback(
    (drawn: HTMLElement | null) => {
      if (drawn === null) return undefined
      observer?.observe(drawn)
      return () => observer?.unobserve(drawn)
    },
    [observer],
  )

  const show = useCallback(
    (index: number): void => {
      if (element === null) return
      const key = keys[index] ?? ''
      const drawn = element.querySelector(`[data-key="${CSS.escape(key)}"]`)
      if (drawn !== null) return drawn.scrollIntoView({ block: 'nearest' })
      search.current = index
      scrollTo({ top: scrollY + element.getBoundingClientRect().top + (offsets[index] ?? 0) - innerHeight / 3 })
    },
    [element, keys, offsets],
  )

  const first = indexAt(offsets, sight.top - MARGIN)
  const end = Math.min(keys.length, indexAt(offsets, sight.bottom + MARGIN) + 1)
  useEffect(() => {
    // A distant target row is rendered now, so scroll to its exact position.
    const index = search.current
    if (index === null || index < first || index >= end) return
    search.current = null
    element?.querySelector(`[data-key="${CSS.escape(keys[index] ?? '')}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [element, keys, first, end])

  const [settled, setSettled] = useState(keys)
  useEffect(() => setSettled(keys), [keys])
  const overflowAnchor = settled !== keys && settled[first] === keys[first] ? 'none' : 'auto'

  return {
    box,
    row,
    first,
    end,
    overflowAnchor,
    before: offsets[first] ?? 0,
    after: (offsets[keys.length] ?? 0) - (offsets[end] ?? 0),
    show,
  }
}
