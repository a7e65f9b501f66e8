import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useId } from 'react'
import { chartColor } from './legend.tsx'

export interface SparklineProps {
  values: readonly number[]
  /** Omit when the figures are shown next to it; the line is then decorative. */
  label?: string | undefined
  height?: number | undefined
  color?: number | undefined
  className?: string | undefined
}

/** Line without axes that fills its container's width. */
export function Sparkline({ values, label, height = 40, color = 1, className }: SparklineProps) {
  const id = useId()
  const flat = values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : [...values]
  const low = Math.min(...flat)
  const high = Math.max(...flat)
  const x = scaleLinear([0, Math.max(1, flat.length - 1)], [0, 100])
  const y = low === high ? () => height / 2 : scaleLinear([low, high], [height - 3, 3])
  const d = line<number>(
    (_, i) => x(i),
    (v) => y(v),
  ).curve(curveMonotoneX)(flat)
  const fill = area<number>(
    (_, i) => x(i),
    height,
    (v) => y(v),
  ).curve(curveMonotoneX)(flat)
  return (
    <svg
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      viewBox={`0 0 100 ${height}`}
      height={height}
      preserveAspectRatio="none"
      className={`block w-full ${className ?? ''}`}
    >
      {d && fill && (
        <>
          <defs>
            <linearGradient id={id} x2="0" y2="1">
              <stop stopColor={chartColor(color)} stopOpacity=".18" />
              <stop offset="1" stopColor={chartColor(color)} stopOpacity="0" />
            </linearGradient>
          </defs>
          <path d={fill} fill={`url(#${id})`} />
          <path d={d} fill="none" stroke={chartColor(color)} strokeWidth="1.75" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  )
}
