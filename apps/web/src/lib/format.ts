/**
 * Formats dates and times in the browser's time zone; the only module that defines their form (GN-34). `ui/money-format.ts` formats
 * amounts. Words and the clock of 12 or 24 hours are those of the language; the order of the parts is the same in all languages.
 */
import { afterComma, dateLocale, t } from '@tizara/languages'

/** Short names of the months by locale. Constructing a formatter is slow. */
const monthNames = new Map<string, readonly string[]>()

/** Returns the short name of a month, 0 to 11, or an empty text for another number. */
function monthName(month: number): string {
  const locale = dateLocale('en-US')
  let names = monthNames.get(locale)
  if (names === undefined) {
    const { format } = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
    monthNames.set(locale, (names = Array.from({ length: 12 }, (_, index) => format(Date.UTC(2026, index)))))
  }
  return names[month] ?? ''
}

/** True for a locale with AM and PM. */
const halfDayClocks = new Map<string, boolean>()

function hasHalfDays(): boolean {
  const locale = dateLocale('en-US')
  let found = halfDayClocks.get(locale)
  if (found === undefined)
    halfDayClocks.set(locale, (found = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true))
  return found
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `DD MMM YYYY`: 05 Nov 2026. */
export function formatDate(moment: Date): string {
  return `${two(moment.getDate())} ${monthName(moment.getMonth())} ${moment.getFullYear()}`
}

/** `DD MMM YYYY, hh:mm A`: 05 Nov 2026, 02:07 PM. */
export function formatTime(moment: Date): string {
  return formatDate(moment) + afterComma(formatClock(moment))
}

/** `hh:mm A`: 02:07 PM; 14:07 in a language with 24 hours. */
export function formatClock(moment: Date): string {
  const hours = moment.getHours()
  if (!hasHalfDays()) return `${two(hours)}:${two(moment.getMinutes())}`
  return `${two(hours % 12 || 12)}:${two(moment.getMinutes())} ${hours < 12 ? t('AM') : t('PM')}`
}

/** The same time in UTC, for titles: 05 Nov 2026, 14:07 UTC. */
export function formatUtc(moment: Date): string {
  const day = `${two(moment.getUTCDate())} ${monthName(moment.getUTCMonth())} ${moment.getUTCFullYear()}`
  return day + afterComma(`${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())} UTC`)
}

/** Formats a month such as `2026-03` as `Mar 2026`. */
export function formatMonth(month: string): string {
  const [year = '', number = ''] = month.split('-')
  return `${monthName(Number(number) - 1) || number} ${year}`
}

/** Formats seconds as `mm:ss`: 01:30. */
export function formatCountdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${two(Math.floor(left / 60))}:${two(left % 60)}`
}

/** Formats the UTC day as `YYYY-MM-DD`, as list queries expect (API-08). */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
