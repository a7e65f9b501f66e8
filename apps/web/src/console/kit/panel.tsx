import Clock from 'lucide-react/icons/clock'
import type { ReactNode } from 'react'
import { age, bothClocks } from './when.ts'

const HOUR_MS = 3_600_000

export interface PanelProps {
  title: string
  /** Under the title: a legend, what it rests on. */
  hint?: ReactNode
  /** At the right of the title: a link, a switch. */
  right?: ReactNode
  /** When its figures were read, and after how many seconds they are old (staff.md 4, Overview). */
  at?: Date | undefined
  every?: number | undefined
  className?: string | undefined
  children: ReactNode
}

/** A card of a page. */
export function Panel({ title, hint, right, at, every = 15, className = '', children }: PanelProps) {
  return (
    <section className={`panel ${className}`} aria-label={title}>
      <header>
        <div className="grow">
          <h2 className="t">{title}</h2>
          {hint !== undefined && <div className="sm mut">{hint}</div>}
          {at !== undefined && isOld(at, every) && <OldFigure at={at} />}
        </div>
        {right !== undefined && <div className="r sm">{right}</div>}
      </header>
      {children}
    </section>
  )
}

/** Whether a figure is older than twice the interval at which it is read: then it turns grey and loses its tick. */
export const isOld = (at: Date, every: number): boolean => Date.now() - at.getTime() > 2 * every * 1000

export function OldFigure({ at }: { at: Date }) {
  return (
    <div className="sm warn row" style={{ gap: 5 }} title={bothClocks(at)}>
      <Clock size={12} aria-hidden="true" />
      from {at.toISOString().slice(11, 16)} UTC, {age(at)} old, cannot be read now
    </div>
  )
}

/** How much of the time that it should take has gone, with its words: `5 h 41` of `8 h`. */
export function Target({ since, hours }: { since: Date; hours: number }) {
  const part = (Date.now() - since.getTime()) / (hours * HOUR_MS)
  return (
    <div title={bothClocks(since)}>
      <div className="row sb sm">
        <span className={part > 1 ? 'warn' : 'mut'}>{age(since)}</span>
        <span className="mut">of {hours} h</span>
      </div>
      <div className={part > 1 ? 'meter warn' : 'meter'} style={{ marginTop: 2 }}>
        <i style={{ width: `${Math.min(100, Math.max(0, part * 100))}%` }} />
      </div>
    </div>
  )
}

/** The same as a small ring, for rows. */
export function TargetRing({ since, due }: { since: Date; due: Date }) {
  const part = (Date.now() - since.getTime()) / Math.max(1, due.getTime() - since.getTime())
  return <i className={part > 1 ? 'clock late' : 'clock'} style={{ '--v': Math.min(100, part * 100) } as object} aria-hidden="true" />
}
