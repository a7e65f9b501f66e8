import { MAX_UNITS, type Units, formatUnits, nearestUnits, parseUnits, unitsFromNumber } from '@tizara/money'
import * as v from 'valibot'
import { inputMessage } from './errors.ts'
import { CONTROL, isMailAddress, isPersonName, isPlain, TURNING } from './text.ts'

/**
 * The field types of the wire. Amounts, prices, rates and percentages travel as JSON numbers (EN rows) and are `bigint`
 * units of 10^-8 on both sides: these schemas are the only place where one becomes the other.
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

/** A figure in a request: a JSON number, or plain decimal text such as `12.50`, which is what form fields hold (VA-24, docs/decisions/0006-amounts-as-text.md). */
const figure = (maxDecimals: number) =>
  v.pipe(
    v.union([v.number(), v.string()], 'Invalid amount'),
    readBy((value) => (typeof value === 'string' ? parseUnits(value, maxDecimals) : unitsFromNumber(value, maxDecimals))),
  )

/**
 * An amount, price, rate or percentage in an answer: a JSON number, read into units. This product's server sends at most 8
 * decimals; what another one sends beyond them is rounded.
 */
export const amount = v.pipe(v.number(), readBy(nearestUnits))

/** An amount in an answer of another server, which may send numeric text or leave it null; read into units, null as 0. */
export const looseAmount = v.pipe(
  v.nullish(v.union([v.number(), v.string()]), 0),
  v.transform((value): number => Number(value)),
  v.number(),
  readBy(nearestUnits),
)

const positive = v.pipe(v.bigint(), v.minValue(1n, 'Invalid amount'), v.maxValue(MAX_UNITS, 'Invalid amount'))

/** A USD amount that a member typed: above 0, at most 2 decimals (CO-45). */
export const usdInput = v.pipe(figure(2), positive)

/** A coin amount that a member typed: above 0, at most 8 decimals (CO-45). */
export const coinInput = v.pipe(figure(8), positive)

/** A figure that the client repeats from the server (price, apy, daily reward): not negative, at most 8 decimals. */
export const echoed = v.pipe(figure(8), v.minValue(0n, 'Invalid amount'), v.maxValue(MAX_UNITS, 'Invalid amount'))

/** Lower bound of an amount that a member typed. */
export const atLeast = (minimum: Units) =>
  v.minValue<Units, Units, string>(minimum, inputMessage('BELOW_MINIMUM', { minimum: formatUnits(minimum) }))

/** Upper bound of an amount that a member typed. */
export const atMost = (maximum: Units) =>
  v.maxValue<Units, Units, string>(maximum, inputMessage('ABOVE_MAXIMUM', { maximum: formatUnits(maximum) }))

/** A moment in an answer: ISO 8601 text in UTC. The server hands in a Date, which JSON writes so. */
export const moment = v.pipe(
  v.union([v.string(), v.date()]),
  v.transform((value): Date => (value instanceof Date ? value : new Date(value))),
  v.check((value) => !Number.isNaN(value.getTime()), 'Invalid date'),
)

/** One line of text that a person typed: trimmed, NFC, without control characters, line breaks or turned direction. */
export const line = (max: number) =>
  v.pipe(
    v.string('This field is required'),
    v.maxLength(max * 2, `Maximum length is ${max}`),
    v.transform((text): string => text.normalize('NFC').trim()),
    v.minLength(1, 'This field is required'),
    v.maxLength(max, `Maximum length is ${max}`),
    v.check((text) => isPlain(text) && !/[\r\n\u2028\u2029]/.test(text), 'Invalid characters'),
  )

/** A name of a person, which stands in mails to others, on their screens and on terminals of staff. */
export const personName = (max: number) => v.pipe(line(max), v.check(isPersonName, 'Invalid characters'))

/** Text of several lines that a person typed: trimmed, NFC, without control characters; turned direction is taken out. */
export const prose = (max: number) =>
  v.pipe(
    v.string('This field is required'),
    v.maxLength(max * 2, `Maximum length is ${max}`),
    v.transform((text): string => text.normalize('NFC').replaceAll(TURNING, '').trim()),
    v.minLength(1, 'This field is required'),
    v.maxLength(max, `Maximum length is ${max}`),
    v.check((text) => !CONTROL.test(text), 'Invalid characters'),
  )

/** An e-mail address as a member types it (VA-12, VA-13), normalised once: trimmed, lower case; other forms are refused. */
export const email = v.pipe(
  v.string('This field is required'),
  v.maxLength(254, 'Maximum length is 254'),
  v.transform((text): string => lowerAscii(text.trim())),
  v.minLength(1, 'This field is required'),
  v.check(isMailAddress, 'Entered value does not match email format'),
)

/** `toLowerCase` would make an ASCII letter of others, such as the Kelvin sign. */
const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** A password (VA-18, VA-74): 6 to 256 characters, any of them, never trimmed. */
export const password = v.pipe(
  v.string('This field is required'),
  v.minLength(6, 'Minimum length is 6'),
  v.maxLength(256, 'Maximum length is 256'),
)

/** A payout address as typed; its form depends on the network and is checked by the server (VA-31). */
export const payoutAddress = v.pipe(
  v.string('This field is required'),
  v.transform((text): string => text.trim()),
  v.minLength(1, 'This field is required'),
  v.maxLength(128, 'Invalid wallet address'),
)

/** An id on the wire: opaque text. */
export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64), v.check(isPlain, 'Not found'))

/** An id in an answer: text, or the number of a server that counts its rows, read as text. */
export const answerId = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value): string => String(value)),
)

/** Text in an answer that may be missing or null. */
export const maybeText = v.nullish(v.string())

/**
 * A key that this product's server adds to an answer of the specification: another server may leave it out, or use the
 * name for something else, and the answer still parses.
 */
export const extra = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined)

/** A whole number in a query such as `?days=30`; `fallback` when it is left out. */
export const wholeInQuery = (max: number, fallback: number) =>
  v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'Must be a whole number')), String(fallback)),
    v.transform(Number),
    v.minValue(1, 'Must be at least 1'),
    v.maxValue(max, `Must be at most ${max}`),
  )

/** The id in a path. */
export const idParams = v.object({ id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not found')) })
