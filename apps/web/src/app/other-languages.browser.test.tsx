import { browserCatalogue, setLanguage } from '@tizara/languages'
import { madeUpCatalogue } from '@tizara/languages/made-up'
import sources from '@tizara/languages/sources'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { coinDialogs } from '../coin/index.ts'
import { depositDialogs } from '../deposits/index.ts'
import { axeViolations } from '../test/list-check.tsx'
import { openApp, signedIn } from '../test/open-app.tsx'
import { specReads } from '../test/spec-answers.ts'
import { specPage } from '../test/spec-page.ts'
import { transferDialogs } from '../transfers/index.ts'
import { withdrawalDialogs } from '../withdrawals/index.ts'
import { memberRoutes, notFound, publicRoutes } from './page-routes.ts'

function show(language: string, direction: 'ltr' | 'rtl', texts: readonly string[]): void {
  setLanguage(browserCatalogue(madeUpCatalogue(language, direction, texts), texts))
  Object.assign(document.documentElement, { lang: language, dir: direction })
}

afterEach(async () => {
  await page.viewport(1280, 900)
  setLanguage({ language: 'en', direction: 'ltr', keys: '', texts: [] })
  Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' })
})

/** Words of the responses, which are no texts of the app, and names that are the same in all languages. */
const data = new Set(JSON.stringify(specReads).match(/[A-Za-z]{3,}/g))
for (const name of [
  'Tizara',
  'TIZARA',
  'USD',
  'USDT',
  'UTC',
  'BEP',
  'ERC',
  'TRC',
  'BNB',
  'English',
  'localhost',
  'auth',
  'signup',
  'http',
  'referralCode',
])
  data.add(name)

/** Returns the English words on the page, in texts and in names of elements. */
function englishWords(): string[] {
  const named = [...document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')].flatMap((element) =>
    ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  )
  const words = [document.body.innerText, document.title, ...named]
    .join('\n')
    .match(/(?<![\p{L}\p{N}_@./-])[A-Za-z]{3,}(?![\p{L}\p{N}_@./-])/gu)
  return [...new Set(words)].filter((word) => !data.has(word) && !data.has(word.toLowerCase()))
}

/** Returns texts with a sign before a figure that stands behind it, because the text runs from right to left. */
function turnedNumbers(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { parentElement, textContent } = text
    if (parentElement === null || getComputedStyle(parentElement).direction !== 'rtl') continue
    // Isolated values keep their order.
    const open = (textContent ?? '').replaceAll(/\u2068[^\u2069]*\u2069/g, '')
    if (/(?:^|\s)[<>+\u2212-]\s?[\d.]|\d\s?[\u2013-]\s?\d/.test(open)) found.push(open)
  }
  return found
}

/**
 * Reads the page until nothing is found. It counts readings and not seconds: a page that shows an English word fails soon, and a busy
 * machine delays the page and the readings alike.
 */
async function remaining(find: () => string[]): Promise<string[]> {
  for (let readings = 0; readings < 60 && find().length > 0; readings += 1) await new Promise((resolve) => setTimeout(resolve, 50))
  return find()
}

const sidewaysBy = (): number => {
  const { scrollWidth, clientWidth } = document.documentElement
  return Math.max(0, scrollWidth - clientWidth)
}

describe('made-up languages', () => {
  // Each page in one of the two, which halves the time.
  const pages = [...publicRoutes, ...memberRoutes, notFound].map(({ path, group }, index) => ({
    path,
    isRtl: index % 2 === 1,
    // A page loads the file of its group only.
    texts: sources.pages[group ?? 'lists'],
  }))
  it.each(pages)('$path has no English word, no turned number and no sideways scroll', async ({ path, isRtl, texts }) => {
    specPage()
    if (isRtl) show('fa', 'rtl', texts)
    else show('el', 'ltr', texts)
    await page.viewport(320, 800)
    await openApp(path.replace(':id', 't1').replace('*', '/nowhere'), signedIn)
    await expect.poll(() => document.querySelectorAll('[aria-busy=true]').length).toBe(0)
    await expect.poll(() => document.querySelector('h1')?.textContent ?? '').not.toBe('')
    expect(await remaining(englishWords)).toEqual([])
    expect(await remaining(turnedNumbers)).toEqual([])
    await expect.poll(sidewaysBy).toBe(0)
    for (const width of [390, 1280]) {
      await page.viewport(width, 900)
      await expect.poll(sidewaysBy).toBe(0)
    }
  })

  // Each dialog in one of the two, too.
  const dialogs = Object.keys({ ...depositDialogs, ...withdrawalDialogs, ...transferDialogs, ...coinDialogs })
  it.each(dialogs.map((name, index) => ({ name, isRtl: index % 2 === 0 })))(
    'dialog $name has no English word, no turned number, no sideways scroll and no axe violation',
    async ({ name, isRtl }) => {
      specPage()
      if (isRtl) show('fa', 'rtl', sources.app)
      else show('el', 'ltr', sources.app)
      await page.viewport(320, 800)
      await openApp(`/dashboard?open=${name}`, signedIn)
      const dialog = () => document.querySelector('dialog[open]')
      await expect.poll(() => dialog()?.querySelectorAll('[aria-busy=true]').length).toBe(0)
      await expect.poll(englishWords).toEqual([])
      await expect.poll(turnedNumbers).toEqual([])
      await expect.poll(() => [sidewaysBy(), (dialog()?.scrollWidth ?? 0) - (dialog()?.clientWidth ?? 0)]).toEqual([0, 0])
      expect(await axeViolations(dialog() ?? document.body)).toEqual([])
    },
  )
})
