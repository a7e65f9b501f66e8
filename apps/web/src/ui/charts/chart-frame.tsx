/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a native range input cannot contain the chart */
import { t } from '@tizara/languages'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'

export interface ChartFrameProps {
  label: string
  height: number
  /** Point count of the readout, then the active index or -1. */
  count: number
  active: number
  onActive: (index: number) => void
  /** Returns the index nearest to a distance from the left edge, in pixels. */
  nearest: (x: number) => number
  /** Active point's readout. */
  text: string
  children: ReactNode
}

/** Handles a chart's pointer and arrow keys as a slider over its points. */
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
      aria-label={t('{label}. Arrow keys read the values.', { label })}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={active < 0 ? count : active + 1}
      aria-valuetext={text}
      onKeyDown={keys}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActive(-1)}
      onBlur={() => onActive(-1)}
      // Time runs from left to right in every language.
      dir="ltr"
      className="relative touch-pan-y rounded-md select-none"
      style={{ height }}
    >
      {children}
    </div>
  )
}

/** Tooltip beside the pointer, kept inside the chart. `x` and `width` are in pixels. */
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
