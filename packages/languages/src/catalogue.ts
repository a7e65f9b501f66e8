/** A language's texts: one file of `packages/languages/catalogues` or of an operator's data folder. */
export interface Catalogue {
  /** BCP 47 tag. */
  language: string
  /** The language's own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** False until a native speaker has read all texts. */
  reviewed: boolean
  /** Translation of each English text. */
  texts: Readonly<Record<string, string>>
}

/**
 * The form that the browser loads. The app contains the English texts, so that the catalogue has only a number for each. The numbers are
 * ascending, and `keys` has the differences: 2.6 bytes (gzip) for each text instead of 6.
 */
export interface BrowserCatalogue {
  language: string
  direction: 'ltr' | 'rtl'
  /** Each text's key minus the key before as four base-64 digits: first the first digits of all texts, and so on. */
  keys: string
  texts: readonly string[]
  /** Messages of errors that contain values, by error code. */
  refusals?: Readonly<Record<string, string>>
}

/** Groups of pages. A language has one file for each, with all texts that its pages show. */
export const pageGroups = ['arrival', 'account', 'lists'] as const
export type PageGroup = (typeof pageGroups)[number]

/** Returns the address of a file of texts: that of one group, in the same version, from that of another. */
export const addressOfGroup = (address: string, group: PageGroup): string => address.replace(/\.\w+/, `.${group}`)

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Hashes an English text to 24 bits (FNV-1a over UTF-16 units, folded). `npm run docs:make` rejects two texts with one key. */
export function textKey(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return ((hash >>> 24) ^ hash) & 0xffffff
}

/**
 * Returns the browser's form of a catalogue.
 * @param sources the English texts of the member app; others stay on the server
 */
export function browserCatalogue({ language, direction, texts }: Catalogue, sources: readonly string[]): BrowserCatalogue {
  const known = sources
    .flatMap((source) => (Object.hasOwn(texts, source) ? [{ key: textKey(source), text: texts[source] ?? '' }] : []))
    .toSorted((one, other) => one.key - other.key)
  const differences = known.map(({ key }, index) => key - (known[index - 1]?.key ?? 0))
  const keys = [18, 12, 6, 0].flatMap((bits) => differences.map((difference) => DIGITS[(difference >> bits) & 63])).join('')
  return { language, direction, keys, texts: known.map(({ text }) => text) }
}

/**
 * Returns the file of each group of pages: its texts, and the words of errors with values.
 * @param pages the English texts of each group
 * @param errors the English message of each error code; the page knows the code and the values, not the English words
 */
export function browserFiles(
  catalogue: Catalogue,
  pages: Readonly<Record<PageGroup, readonly string[]>>,
  errors: readonly (readonly [code: string, message: string])[],
): readonly (readonly [PageGroup, string])[] {
  const refusals = Object.fromEntries(
    errors.flatMap(([code, message]) => {
      const text = Object.hasOwn(catalogue.texts, message) ? catalogue.texts[message] : undefined
      return message.includes('{') && text !== undefined ? [[code, text]] : []
    }),
  )
  return pageGroups.map((group) => [group, JSON.stringify({ ...browserCatalogue(catalogue, pages[group]), refusals })])
}

/** Reads the texts of the browser's form by their keys. */
export function textsByKey({ keys, texts }: BrowserCatalogue): ReadonlyMap<number, string> {
  let key = 0
  return new Map(
    texts.map((text, index) => {
      let difference = 0
      for (let at = index; at < keys.length; at += texts.length) difference = difference * 64 + DIGITS.indexOf(keys.charAt(at))
      key += difference
      return [key, text]
    }),
  )
}
