import { formatUtc } from '../../lib/format.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const two = (value: number) => String(value).padStart(2, '0')
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a waiting time: `8 min`, `5 h 41`, `3 days`. */
export function age(since: Date, now = Date.now()): string {
  const ms = Math.max(0, now - since.getTime())
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 48 * HOUR) return `${Math.floor(ms / HOUR)} h ${two(Math.floor((ms % HOUR) / MINUTE))}`
  return `${Math.floor(ms / (24 * HOUR))} days`
}

/** `08:51` today, `19 Nov` before, both UTC. */
export function brief(at: Date, now = new Date()): string {
  if (at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return clock(at)
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''}${year}`
}

/** `19 Nov 2026`, the UTC day. For dates whose year matters, such as the start of a membership. */
export const fullDay = (at: Date): string => `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`

/** `08:51` of a moment, UTC. */
export const clock = (at: Date): string => at.toISOString().slice(11, 16)

/** `08:51` today, `19 Nov 08:51` before, both UTC. */
export const briefly = (at: Date): string => (brief(at) === clock(at) ? clock(at) : `${brief(at)} ${clock(at)}`)

/** Both clocks, for the title of a time. */
export const utcAndLocal = (at: Date): string => `${formatUtc(at)} · here ${at.toLocaleString()}`
