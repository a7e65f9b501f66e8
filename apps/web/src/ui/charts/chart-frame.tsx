/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a native range cannot hold the drawing whose places it reads out */
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'

export interface ChartFrameProps {
  label: string
  height: number
  /** How many places the readout has; the active one, or -1. */
  count: number
  active: number
  onActive: (index: number) => void
  /** The nearest place to a distance from the left edge. */
  nearest: (x: number) => number
  /** What the active place says. */
  text: string
  children: ReactNode
}

/** The pointer and the arrow keys of a chart: a slider over its places, read out one by one. */
export function ChartFrame({ label, height, count, active, onActive, nearest, text, children }: ChartFrameProps) {
  function keys(event: KeyboardEvent): void {
    const from = active < 0 ? count : active
    const next = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: 0, End: count - 1 }[event.key]
    if (event.key === 'Escape') onActive(-1)
    if (next === undefined) return
    event.preventDefault()
    onActive(Math.max(0, Math.min(count - 1, next)))
  }
  const point = (event: PointerEvent): void => onActive(nearest(event.clientX - event.currentTarget.getBoundingClientRect().left))
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Arrow keys read the values.`}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={active < 0 ? count : active + 1}
      aria-valuetext={text}
      onKeyDown={keys}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActive(-1)}
      onBlur={() => onActive(-1)}
      className="relative touch-pan-y rounded-md select-none"
      style={{ height }}
    >
      {children}
    </div>
  )
}

/** The small box beside the pointer. `x` and `width` in pixels: it stays inside the chart. */
export function ChartTip({ x, width, children }: { x: number; width: number; children: ReactNode }) {
  const side = x > width / 2 ? { right: Math.max(0, width - x + 10) } : { left: x + 10 }
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 z-1 rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 text-xs whitespace-nowrap shadow-elevate"
      style={side}
    >
      {children}
    </div>
  )
}
