import { formatDate, formatTime, formatUtc } from './format.ts'

export interface MomentProps {
  at: Date
  time?: boolean | undefined
  className?: string | undefined
}

/** Shows a time in the member's time zone, UTC on hover (GN-34). */
export function Moment({ at, time, className }: MomentProps) {
  return (
    <time dateTime={at.toISOString()} title={formatUtc(at)} className={className}>
      {time === true ? formatTime(at) : formatDate(at)}
    </time>
  )
}
