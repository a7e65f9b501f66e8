import { addTexts, type BrowserCatalogue, currentLanguage, setLanguage } from '@tizara/languages'
import { metaContent } from './http/meta.ts'

declare global {
  /** Catalogue that the page requested before its code loaded (before-paint.js). Undefined for English. */
  var languageAhead: Promise<BrowserCatalogue> | undefined
}

/** Language that a member can choose. */
export interface OfferedLanguage {
  /** BCP 47 tag. */
  language: string
  /** The language's own name for itself. */
  name: string
  /** False until a native speaker has read all texts. */
  reviewed: boolean
}

/** Seconds that the choice of a language is kept (one year). */
const COOKIE_SECONDS = 31_536_000

const ENGLISH: OfferedLanguage = { language: 'en', name: 'English', reviewed: true }

/** Returns the languages of the server, English first. A single one means that there is no choice. */
export function offeredLanguages(): readonly OfferedLanguage[] {
  return [ENGLISH, ...(JSON.parse(metaContent('languages', '[]')) as OfferedLanguage[])]
}

/** Sets the page's language before the first text is shown. The page is in English if the catalogue does not arrive. */
export async function loadLanguage(): Promise<void> {
  const page = document.documentElement
  try {
    const catalogue = await globalThis.languageAhead
    if (catalogue !== undefined) setLanguage(catalogue)
  } catch {
    Object.assign(page, { lang: 'en', dir: 'ltr' })
  }
  page.removeAttribute('data-language')
}

let loading: Promise<void> | undefined

/**
 * Loads the texts of the pages on which members do not arrive. Their texts are in English if the file does not arrive. A page may ask for
 * its code before its language is set, so this waits for the first file.
 */
export const loadMoreTexts = (): Promise<void> => (loading ??= fetchMoreTexts())

async function fetchMoreTexts(): Promise<void> {
  try {
    const address = (await globalThis.languageAhead)?.more
    if (address === undefined) return
    const answer = await fetch(address)
    addTexts((await answer.json()) as BrowserCatalogue)
  } catch {
    loading = undefined
  }
}

/** Stores the choice in this browser and loads the page again in this language. */
export function switchLanguage(language: string): void {
  document.cookie = `language=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
  // Without cookies, the page would load again and again.
  if (isStored(language)) location.reload()
}

const isStored = (language: string): boolean => document.cookie.split('; ').includes(`language=${language}`)

/** Loads the page again in the language of the member's profile, if this browser has another one. */
export function followLanguage(chosen: string | null | undefined): void {
  if (typeof chosen !== 'string' || chosen === currentLanguage() || isStored(chosen)) return
  if (offeredLanguages().some(({ language }) => language === chosen)) switchLanguage(chosen)
}
