import { MAX_UNITS, type Units, formatUnits, nearestUnits, parseUnits, unitsFromNumber } from '@tizara/money'
import * as v from 'valibot'
import { inputMessage } from './errors.ts'
import { CONTROL, isMailAddress, isPersonName, isPlain, TURNING } from './text.ts'

/**
 * Types of fields in the API. Amounts, prices, rates and percentages are JSON numbers (EN rows) and become `bigint` units of 10^-8 in
 * server and web app. Only these schemas convert between both forms.
 */

const readBy = <Value extends number | string>(read: (value: Value) => Units | null) =>
  v.rawTransform<Value, Units>(({ dataset, addIssue, NEVER }) => {
    const units = read(dataset.value)
    if (units === null) {
      addIssue({ message: 'Invalid amount' })
      return NEVER
    }
    return units
  })

/**
 * Figure in a request: JSON number or plain decimal text such as `12.50` from a form field (VA-24,
 * docs/decisions/0006-amounts-as-text.md).
 */
const figure = (maxDecimals: number) =>
  v.pipe(
    v.union([v.number(), v.string()], 'Invalid amount'),
    readBy((value) => (typeof value === 'string' ? parseUnits(value, maxDecimals) : unitsFromNumber(value, maxDecimals))),
  )

/**
 * Amount, price, rate or percentage in a response, parsed to units. This server sends at most 8 decimals; more from other servers are
 * rounded.
 */
export const amount = v.pipe(v.number(), readBy(nearestUnits))

/** Amount from other servers, which may be numeric text or null; null becomes 0. */
export const looseAmount = v.pipe(
  v.nullish(v.union([v.number(), v.string()]), 0),
  v.transform((value): number => Number(value)),
  v.number(),
  readBy(nearestUnits),
)

const positive = v.pipe(v.bigint(), v.minValue(1n, 'Invalid amount'), v.maxValue(MAX_UNITS, 'Invalid amount'))

/** USD amount from a member: above 0, at most 2 decimals (CO-45). */
export const usdInput = v.pipe(figure(2), positive)

/** Coin amount from a member: above 0, at most 8 decimals (CO-45). */
export const coinInput = v.pipe(figure(8), positive)

/** Figure repeated by the client (price, apy, daily reward): not negative, at most 8 decimals. */
export const echoed = v.pipe(figure(8), v.minValue(0n, 'Invalid amount'), v.maxValue(MAX_UNITS, 'Invalid amount'))

/** Lower bound for an amount. */
export const minAmount = (minimum: Units) =>
  v.minValue<Units, Units, string>(minimum, inputMessage('BELOW_MINIMUM', { minimum: formatUnits(minimum) }))

/** Upper bound for an amount. */
export const maxAmount = (maximum: Units) =>
  v.maxValue<Units, Units, string>(maximum, inputMessage('ABOVE_MAXIMUM', { maximum: formatUnits(maximum) }))

/** Time in a response: ISO 8601 text in UTC, serialized from the server's Date. */
export const moment = v.pipe(
  v.union([v.string(), v.date()]),
  v.transform((value): Date => (value instanceof Date ? value : new Date(value))),
  v.check((value) => !Number.isNaN(value.getTime()), 'Invalid date'),
)

/** Returns true for a day of the calendar. `v.isoDate` also accepts 30 February. */
const isCalendarDay = (text: string) => {
  const start = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text)
}

/** UTC year in a request, such as `2026`. */
export const year = v.pipe(v.string('This field is required'), v.regex(/^20\d{2}$/, 'Must be a year such as 2026'))

/** UTC day in a request, such as `2026-01-31`. */
export const day = v.pipe(
  v.string('This field is required'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be a day such as 2026-01-31'),
  v.check(isCalendarDay, 'Must be a day such as 2026-01-31'),
)

/** Single-line text input: trimmed, NFC, without control characters, line breaks or bidi overrides. */
export const line = (max: number) =>
  v.pipe(
    v.string('This field is required'),
    v.maxLength(max * 2, `Maximum length is ${max}`),
    v.transform((text): string => text.normalize('NFC').trim()),
    v.minLength(1, 'This field is required'),
    v.maxLength(max, `Maximum length is ${max}`),
    v.check((text) => isPlain(text) && !/[\r\n\u2028\u2029]/.test(text), 'Invalid characters'),
  )

/** Person's name, shown in emails, on screens and on staff terminals. */
export const personName = (max: number) => v.pipe(line(max), v.check(isPersonName, 'Invalid characters'))

/** Multi-line text input: trimmed, NFC, without control characters; bidi overrides are removed. */
export const prose = (max: number) =>
  v.pipe(
    v.string('This field is required'),
    v.maxLength(max * 2, `Maximum length is ${max}`),
    v.transform((text): string => text.normalize('NFC').replaceAll(TURNING, '').trim()),
    v.minLength(1, 'This field is required'),
    v.maxLength(max, `Maximum length is ${max}`),
    v.check((text) => !CONTROL.test(text), 'Invalid characters'),
  )

/** Email address (VA-12, VA-13), trimmed and lower-cased; rejects other forms. */
export const email = v.pipe(
  v.string('This field is required'),
  v.maxLength(254, 'Maximum length is 254'),
  v.transform((text): string => lowerAscii(text.trim())),
  v.minLength(1, 'This field is required'),
  v.check(isMailAddress, 'Entered value does not match email format'),
)

/** `toLowerCase` would map other letters, such as the Kelvin sign, to ASCII. */
const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Password (VA-18, VA-74): 6 to 256 arbitrary characters, never trimmed. */
export const password = v.pipe(
  v.string('This field is required'),
  v.minLength(6, 'Minimum length is 6'),
  v.maxLength(256, 'Maximum length is 256'),
)

/** Payout address as typed. The server checks the format, which depends on the network (VA-31). */
export const payoutAddress = v.pipe(
  v.string('This field is required'),
  v.transform((text): string => text.trim()),
  v.minLength(1, 'This field is required'),
  v.maxLength(128, 'Invalid wallet address'),
)

/** Id in the API: a text without meaning for clients. */
export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.check(isPlain, 'Not found'))

/** Id in a response: text, or another server's row number converted to text. */
export const answerId = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value): string => String(value)),
)

/** Text in a response, possibly missing or null. */
export const maybeText = v.nullish(v.string())

/**
 * Key that this server adds to a specified response. Other servers may omit it or use the name otherwise, and the response still parses.
 */
export const extra = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined)

/** Whole number in a query such as `?days=30`; defaults to `fallback`. */
export const wholeInQuery = (max: number, fallback: number) =>
  v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'Must be a whole number')), String(fallback)),
    v.transform(Number),
    v.minValue(1, 'Must be at least 1'),
    v.maxValue(max, `Must be at most ${max}`),
  )

/** Position in a list that is ordered by time and id, as sent in `next`: milliseconds and id. */
export const momentCursor = v.pipe(v.string(), v.regex(/^\d{1,15}-\d{1,18}$/, 'Not a row'))

export const idParams = v.object({ id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not found')) })
