import { type BrowserCatalogue, type Catalogue, textKey, textsByKey } from './catalogue.ts'
import { formatMessage, type Values } from './message.ts'

/** Returns an English text in a language, with its placeholders filled in. */
export type Translate = (text: string, values?: Values) => string

/** Marks that keep the order of a value (an amount, an address, a name) inside text of the other direction. */
const ISOLATE_START = '\u2068'
const ISOLATE_END = '\u2069'

interface Language {
  language: string
  direction: 'ltr' | 'rtl'
  find: (text: string) => string | undefined
  errors?: Readonly<Record<string, string>> | undefined
}

const ENGLISH: Language = { language: 'en', direction: 'ltr', find: () => undefined }

/** Puts isolation marks around text values in a language that runs from right to left. English texts stay as they are. */
function isolated({ direction }: Language, values: Values): Values {
  if (direction === 'ltr') return values
  const isolate = (value: Values[string]) => (typeof value === 'string' ? ISOLATE_START + value + ISOLATE_END : value)
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolate(value)]))
}

function fill(language: Language, text: string, values: Values): unknown {
  return formatMessage(language.find(text) ?? text, language.language, isolated(language, values))
}

const translateTo =
  (language: Language): Translate =>
  (text, values) =>
    values === undefined ? (language.find(text) ?? text) : String(fill(language, text, values))

/**
 * Returns the function that translates into a catalogue's language. The server uses one for each reader.
 * @param catalogue without it, English
 */
export function translator(catalogue?: Catalogue): Translate {
  if (catalogue === undefined) return translateTo(ENGLISH)
  const { texts } = catalogue
  return translateTo({ ...catalogue, find: (text) => (Object.hasOwn(texts, text) ? texts[text] : undefined) })
}

/** The language of the page. A page has one language until it reloads. */
let current = ENGLISH

/** Sets the language of the page. Call it before the first text is shown. */
export function setLanguage(catalogue: BrowserCatalogue): void {
  const texts = textsByKey(catalogue)
  const found = new Map<string, string | undefined>()
  const find = (text: string): string | undefined => {
    if (!found.has(text)) found.set(text, texts.get(textKey(text)))
    return found.get(text)
  }
  current = { language: catalogue.language, direction: catalogue.direction, find, errors: catalogue.refusals }
}

/** Adds the texts of another group of pages. Call it before a page shows one of them. */
export function addTexts(catalogue: BrowserCatalogue): void {
  const texts = textsByKey(catalogue)
  const { find } = current
  current = { ...current, find: (text) => find(text) ?? texts.get(textKey(text)) }
}

/** Returns the language of the page as BCP 47 tag. */
export const currentLanguage = (): string => current.language

/** Returns true if the language of the page runs from right to left. */
export const isRightToLeft = (): boolean => current.direction === 'rtl'

/**
 * Returns the locale for dates in the language of the page, with the digits and the calendar of the figures around them.
 * @param english the locale for English
 */
export const dateLocale = (english: string): string => (current === ENGLISH ? english : `${current.language}-u-ca-gregory-nu-latn`)

/** Runs synchronous work with English texts, for files that are the same in all languages. */
export function inEnglish<T>(work: () => T): T {
  const before = current
  current = ENGLISH
  try {
    return work()
  } finally {
    current = before
  }
}

/** Returns an English text in the language of the page. */
export const t: Translate = (text, values) => translateTo(current)(text, values)

/**
 * Returns the message of an error response in the language of the page.
 * @param message the English message
 * @param code header `Error-Code`
 * @param values header `Error-Values`: the values in the message, form-encoded
 */
export function errorText(message: string, code: string | null, values: string | null): string {
  const template = code === null ? undefined : current.errors?.[code]
  if (template === undefined || values === null) return t(message)
  return String(formatMessage(template, current.language, isolated(current, Object.fromEntries(new URLSearchParams(values)))))
}

/** Keeps the order of a value, such as `+54`, inside text of the other direction. */
export const isolate = (value: string): string => (current.direction === 'rtl' ? ISOLATE_START + value + ISOLATE_END : value)

/** Formatters of lists by language. Constructing one is slow. */
const listFormats = new Map<string, Intl.ListFormat>()

/** Joins the entries of a list in the language of the page: `A, B, C` in English. */
export function joinList(entries: readonly string[]): string {
  const { language } = current
  const format = listFormats.get(language) ?? new Intl.ListFormat(language, { type: 'unit', style: 'short' })
  listFormats.set(language, format)
  return format.format(entries.map(isolate))
}

/** Returns a text that continues the one before, such as a time after its day, with the comma of the language: `, B` in English. */
export const afterComma = (more: string): string => t(', {more}', { more })

/** Returns the parts of a text with tags: texts, and the results of the tags' functions. */
export function textParts(text: string, values: Values): unknown[] {
  const parts = fill(current, text, values)
  return Array.isArray(parts) ? parts : [parts]
}

/** Strings of any depth instead of literal types, because the shown texts differ from the English ones. */
export type Texts<T> = T extends string
  ? string
  : T extends (...args: never[]) => unknown
    ? T
    : { readonly [Name in keyof T]: Texts<T[Name]> }

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/**
 * Returns an object or list whose texts are translated when they are read, so that constants follow the language of the page.
 * @param names names of the properties with texts; without them, all strings are texts
 */
export function texts<const T extends object>(source: T): Texts<T>
export function texts<T extends object>(names: string | readonly string[], source: T): T
export function texts(...[first, second]: [object] | [string | readonly string[], object]): object {
  return second === undefined ? translated(first as object, () => true) : translated(second, (name) => [first].flat().includes(name))
}

function translated(source: object, isText: (name: string) => boolean): object {
  const result = Array.isArray(source) ? [] : {}
  for (const [name, value] of Object.entries(source) as [string, unknown][]) {
    const constant = isPlain(value) && !('$$typeof' in value) ? translated(value, isText) : value
    const get = typeof value === 'string' && isText(name) ? () => t(value) : () => constant
    Object.defineProperty(result, name, { enumerable: true, get })
  }
  return result
}
