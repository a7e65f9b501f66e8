import { type BrowserCatalogue, setLanguage } from '@tizara/languages'

declare global {
  /** Catalogue that the page requested before its code loaded (before-paint.js). Undefined for English. */
  var languageAhead: Promise<BrowserCatalogue> | undefined
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
