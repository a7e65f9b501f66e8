import type { ShownFigures } from '@tizara/contract/notice-text'
import { formatUnits, type Units } from '@tizara/money'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a time in UTC: `23 Nov 2026, 22:45 UTC`. */
export function mailTime(moment: Date): string {
  const iso = moment.toISOString()
  return `${Number(iso.slice(8, 10))} ${MONTHS[moment.getUTCMonth()] ?? ''} ${iso.slice(0, 4)}, ${iso.slice(11, 16)} UTC`
}

/** Formats an exact amount with at least two decimals: `5,300.00 USD`. */
export function mailAmount(units: Units, unit: string): string {
  const [whole = '0', fraction = ''] = formatUnits(units).split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')} ${unit}`
}

/** Formats a time in the values of a notification, in UTC. */
export const mailTimeOf = (iso: string): string => mailTime(new Date(iso))

/** Formats the values of a notification for a mail. The amount is already formatted. */
export const shownInMail = (at: Date, amount = ''): ShownFigures => ({ amount, at: mailTime(at), time: mailTimeOf })
