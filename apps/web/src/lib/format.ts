/**
 * Dates and times as members see them, in the browser's time zone: the one place that decides their form (GN-34).
 * Amounts are formatted by `ui/money-format.ts`.
 */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (value: number): string => String(value).padStart(2, '0')

/** `DD MMM YYYY`: 05 Nov 2026. */
export function formatDate(moment: Date): string {
  return `${two(moment.getDate())} ${MONTHS[moment.getMonth()] ?? ''} ${moment.getFullYear()}`
}

/** `DD MMM YYYY, hh:mm A`: 05 Nov 2026, 02:07 PM. */
export function formatTime(moment: Date): string {
  const hours = moment.getHours()
  return `${formatDate(moment)}, ${two(hours % 12 || 12)}:${two(moment.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

/** The same moment in UTC, for titles: 05 Nov 2026, 14:07 UTC. */
export function formatUtc(moment: Date): string {
  const day = `${two(moment.getUTCDate())} ${MONTHS[moment.getUTCMonth()] ?? ''} ${moment.getUTCFullYear()}`
  return `${day}, ${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())} UTC`
}

/** `mm:ss` of a number of seconds: 01:30. */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${two(Math.floor(left / 60))}:${two(left % 60)}`
}

/** `YYYY-MM-DD` of the UTC day, as list queries take it (API-08). */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
