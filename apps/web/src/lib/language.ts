import { addressOfGroup, addTexts, type BrowserCatalogue, currentLanguage, type PageGroup, setLanguage } from '@tizara/languages'
import { metaContent } from './http/meta.ts'

declare global {
  /** Texts of the page's group, which the page requested before its code loaded (before-paint.js). Undefined for English. */
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
  /** Path of the file with the texts of the page's group; empty for English. */
  address: string
}

/** Seconds that the choice of a language is kept (one year). */
const COOKIE_SECONDS = 31_536_000

const ENGLISH: OfferedLanguage = { language: 'en', name: 'English', reviewed: true, address: '' }

/** Returns the languages of the server, English first. A single one means that there is no choice. */
export function offeredLanguages(): readonly OfferedLanguage[] {
  return [ENGLISH, ...(JSON.parse(metaContent('languages', '[]')) as OfferedLanguage[])]
}

/** Shows the page in its language. Its first text waits for this. */
export async function loadLanguage(): Promise<void> {
  await setPageLanguage()
  document.documentElement.removeAttribute('data-language')
}

let setting: Promise<void> | undefined
const setPageLanguage = (): Promise<void> => (setting ??= setFromAhead())

/** Sets the page's language. The page is in English if the texts do not arrive. */
async function setFromAhead(): Promise<void> {
  try {
    const catalogue = await globalThis.languageAhead
    if (catalogue !== undefined) setLanguage(catalogue)
  } catch {
    Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' })
  }
}

const loading = new Map<string, Promise<void>>()

/**
 * Loads the texts of a group of pages, unless the page came with them. They are in English if the file does not arrive. Waits for the
 * language of the page, because some constants translate their texts when their code runs.
 */
export async function loadTexts(group: PageGroup = 'lists'): Promise<void> {
  await setPageLanguage()
  const ahead = offeredLanguages().find(({ language }) => language === currentLanguage())?.address ?? ''
  const address = addressOfGroup(ahead, group)
  if (address === ahead) return
  const loads = loading.get(address) ?? fetchTexts(address)
  loading.set(address, loads)
  await loads
}

async function fetchTexts(address: string): Promise<void> {
  try {
    const answer = await fetch(address)
    addTexts((await answer.json()) as BrowserCatalogue)
  } catch {
    loading.delete(address)
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
