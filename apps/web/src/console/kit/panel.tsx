import Clock from 'lucide-react/icons/clock'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { Meter } from '../../ui/meter.tsx'
import { Panel as Frame } from '../../ui/panel.tsx'
import { age, utcAndLocal } from './when.ts'

const HOUR_MS = 3_600_000

export interface PanelProps extends Omit<ComponentProps<typeof Frame>, 'action'> {
  /** Shown right of the title: a link or a switch. */
  right?: ReactNode
  /** Read time of the figures. They count as old after two intervals (staff.md 4, Overview). */
  at?: Date | undefined
  every?: number | undefined
}

/** A panel with polled figures. It reports a failed read. */
export function Panel({ hint, right, at, every = 15, ...panel }: PanelProps) {
  const old = at !== undefined && isOld(at, every) ? <StaleNote at={at} /> : undefined
  return (
    <Frame
      {...panel}
      action={right}
      hint={
        hint === undefined && old === undefined ? undefined : (
          <>
            {hint}
            {old}
          </>
        )
      }
    />
  )
}

/** Returns true if a figure is older than twice its poll interval. It then turns grey and loses its tick. */
export const isOld = (at: Date, every: number): boolean => Date.now() - at.getTime() > 2 * every * 1000

export function StaleNote({ at }: { at: Date }) {
  return (
    <div className="text-xs text-warning flex min-w-0 items-center gap-1" title={utcAndLocal(at)}>
      <Clock size={12} aria-hidden="true" />
      from {at.toISOString().slice(11, 16)} UTC, {age(at)} old, cannot be read now
    </div>
  )
}

/** Shows elapsed time against the target: `5 h 41` of `8 h`. */
export function Target({ since, hours }: { since: Date; hours: number }) {
  const part = (Date.now() - since.getTime()) / (hours * HOUR_MS)
  return (
    <div title={utcAndLocal(since)}>
      <div className="flex min-w-0 items-center gap-2 justify-between text-xs">
        <span className={part > 1 ? 'text-warning' : 'text-muted'}>{age(since)}</span>
        <span className="text-muted">of {hours} h</span>
      </div>
      <Meter percent={part * 100} tone={part > 1 ? 'warning' : 'accent'} className="mt-0.5" />
    </div>
  )
}

/** Shows the target as a small ring, for rows. */
export function TargetRing({ since, due }: { since: Date; due: Date }) {
  const part = (Date.now() - since.getTime()) / Math.max(1, due.getTime() - since.getTime())
  return (
    <i
      className={cx(
        'size-3 rounded-full bg-[conic-gradient(currentColor_calc(var(--v)*1%),var(--line)_0)]',
        part > 1 ? 'text-warning' : 'text-faint',
      )}
      style={{ '--v': Math.min(100, part * 100) } as object}
      aria-hidden="true"
    />
  )
}
