import type { ShownFigures } from '@tizara/contract/notice-text'
import { type Translate, translator } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import type { Config } from '../../platform/config/config.ts'
import { languageOf } from '../../platform/config/languages.ts'

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

/** Language of a mail: its texts, and the form of times and amounts. */
export interface MailLanguage {
  /** BCP 47 tag. */
  language: string
  direction: 'ltr' | 'rtl'
  t: Translate
  /** Formats a time, in UTC. */
  time: (moment: Date) => string
  /** Formats an exact amount with at least two decimals and its unit. */
  amount: (units: Units, unit: string) => string
}

/** English, the language of mails to staff and of samples. */
export const ENGLISH: MailLanguage = { language: 'en', direction: 'ltr', t: translator(), time: mailTime, amount: mailAmount }

/** Returns the language of a member's mails: English without a choice, or if the choice is not offered for mails. */
export function mailLanguage(config: Pick<Config, 'dataDir'>, chosen: string | null | undefined): MailLanguage {
  const found = languageOf(config, chosen)
  if (found?.isForMails !== true) return ENGLISH
  const { language, direction, translate } = found
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 8 })
  return {
    language,
    direction,
    t: translate,
    time: (moment) => `${times.format(moment)} UTC`,
    // The formatter reads decimal text exactly, without a floating-point number.
    amount: (units, unit) => `${numbers.format(formatUnits(units) as Intl.StringNumericLiteral)} ${unit}`,
  }
}

/** Formats the values of a notification for a mail. The amount is already formatted. */
export const shownInMail = ({ t, time }: MailLanguage, at: Date, amount = ''): ShownFigures => ({
  amount,
  at: time(at),
  time: (iso) => time(new Date(iso)),
  t,
})
