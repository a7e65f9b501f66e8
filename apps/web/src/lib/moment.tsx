import { afterComma } from '@tizara/languages'
import { formatClock, formatDate, formatUtc } from './format.ts'

export interface MomentProps {
  at: Date
  time?: boolean | undefined
  className?: string | undefined
}

/** Shows a time in the member's time zone, UTC on hover (GN-34). A phone's row of two lines has room for the date only. */
export function Moment({ at, time, className }: MomentProps) {
  return (
    <time dateTime={at.toISOString()} title={formatUtc(at)} className={className}>
      {formatDate(at)}
      {time === true && <span className="duo:hidden">{afterComma(formatClock(at))}</span>}
    </time>
  )
}
