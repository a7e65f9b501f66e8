import { useId } from 'react'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface ArtProps {
  className?: string | undefined
}

/** Sky behind every illustration; decorative and hidden from screen readers. `sun` is [x, y, r]. */
export function Scene({ sun, className, children }: ArtProps & { sun: readonly [number, number, number]; children: ReactNode }) {
  const id = useId()
  const [x, y, r] = sun
  return (
    <svg viewBox="0 0 320 150" preserveAspectRatio="xMidYMax slice" aria-hidden="true" className={cx('block h-auto w-full', className)}>
      <defs>
        <linearGradient id={id} x2="0" y2="1">
          <stop stopColor="var(--art-sky)" />
          <stop offset="1" stopColor="var(--art-sky-2)" />
        </linearGradient>
      </defs>
      <rect width="320" height="150" fill={`url(#${id})`} />
      <circle cx={x} cy={y} r={r * 1.8} fill="var(--art-sun)" opacity=".16" />
      <circle cx={x} cy={y} r={r} fill="var(--art-sun)" opacity=".85" />
      {children}
    </svg>
  )
}

/** Round tree; x, y is its foot. */
export function Tree({ x, y, s = 1, fill = 'var(--art-near)' }: { x: number; y: number; s?: number; fill?: string }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${s})`}>
      <path d="M0 0v-12" stroke="var(--art-ink)" strokeOpacity=".55" strokeWidth="1.6" />
      <ellipse cy="-15" rx="7" ry="9.5" fill={fill} />
      <path d="M0-6c3-3 4-7 4-10" fill="none" stroke="var(--art-light)" strokeOpacity=".28" />
    </g>
  )
}

/** Fir; x, y is its foot. */
export function Fir({ x, y, s = 1, fill = 'var(--art-near)' }: { x: number; y: number; s?: number; fill?: string }) {
  return <path transform={`translate(${x} ${y}) scale(${s})`} d="M0-28 5-18H2.5L7.5-9H4L9 0H-9L-4-9H-7.5L-2.5-18H-5Z" fill={fill} />
}
