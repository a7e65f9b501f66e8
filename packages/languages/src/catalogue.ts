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

/** The form that the browser loads: the texts under short keys, because the app contains the English ones. */
export interface BrowserCatalogue {
  language: string
  direction: 'ltr' | 'rtl'
  texts: Readonly<Record<string, string>>
}

/** Hashes an English text (32-bit FNV-1a over UTF-16 units, base 36). `npm run languages` rejects two texts with one key. */
export function textKey(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/**
 * Returns the browser's form of a catalogue.
 * @param sources the English texts of the member app; others stay on the server
 */
export function browserCatalogue({ language, direction, texts }: Catalogue, sources: readonly string[]): BrowserCatalogue {
  const known = sources.flatMap((source) => (Object.hasOwn(texts, source) ? [[textKey(source), texts[source]] as const] : []))
  return { language, direction, texts: Object.fromEntries(known) as Record<string, string> }
}
