import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { translateResponse } from '@tizara/contract/response-texts'
import { madeUpCatalogue } from '@tizara/languages/made-up'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { SAMPLES } from '../apps/server/src/gateways/mailer/samples.ts'
import { renderMail } from '../apps/server/src/gateways/mailer/templates.ts'
import { defaultBrand } from '../apps/server/src/platform/config/brand.ts'
import { memberRoutes, notFound, publicRoutes } from '../apps/web/src/app/page-routes.ts'
import { accessibilityViolations, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

const WIDTHS = [320, 390, 1280]
/** Buttons that open a dialog, by their page. `other-languages.browser.test.tsx` opens the other dialogs. */
const DIALOGS: readonly (readonly [address: string, buttons: readonly string[]])[] = [
  ['/stack-coin', ['Stake Now']],
  ['/store-nft/buy-nft', ['Buy Now']],
  ['/my-stack-coin', ['Open receipt {index}']],
  ['/profile', ['Change {names}', 'Set up', 'Add address', 'Prove {label}', 'Remove {label}', 'Create a key', 'Log out everywhere']],
]
const all = [...new Set([...sources.app, ...sources.server])]
const appTexts = new Set(sources.app)
const LANGUAGES = (
  [
    ['el', 'ltr'],
    ['fa', 'rtl'],
  ] as const
).map(([language, direction]) => madeUpCatalogue(language, direction, all))
/** Names that are the same in all languages: the product, units, networks and seeded NFTs and plans. */
const NAMES = 'Tizara USD USDT UTC BEP ERC TRC BNB English Gold Silver Sprint Dome Wagon Hotel And Resort Land Omega BRONZE'
  .toLowerCase()
  .split(' ')

let stack: Stack
let folder: string

test.beforeAll(async () => {
  // Two languages in the data folder, as an operator adds them.
  folder = mkdtempSync(join(tmpdir(), 'languages-'))
  const seeded = process.env['SEEDED_DATABASE']
  if (seeded === undefined) throw new Error('no seeded database')
  cpSync(seeded, folder, { recursive: true })
  mkdirSync(join(folder, 'languages'))
  for (const made of LANGUAGES) writeFileSync(join(folder, 'languages', `${made.language}.json`), JSON.stringify(made))
  process.env['SEEDED_DATABASE'] = folder
  stack = await startStack('embedded')
  process.env['SEEDED_DATABASE'] = seeded
})
test.afterAll(async ({ browser }) => {
  await stack.stop(browser)
  rmSync(folder, { recursive: true, force: true })
})

/** Collects the words of responses that are no texts of the product, such as names of members and plans. */
function wordsOfData(page: Page): ReadonlySet<string> {
  const words = new Set(NAMES)
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (translateResponse(value, (text) => (appTexts.has(text) ? '' : text)) === value)
        for (const word of value.match(/[A-Za-z]{3,}/g) ?? []) words.add(word.toLowerCase())
    } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one)
  }
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/')) void response.json().then(collect, () => undefined)
  })
  return words
}

/** Returns the English words that a person sees or hears, in texts and in names of elements. */
async function englishWords(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const found = await page.evaluate(() => {
    const names = ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']
    const named = [...document.body.querySelectorAll(names.map((name) => `[${name}]`).join())].flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.body.innerText, document.title, ...named].join('\n')
  })
  const words = found.replaceAll(/https?:\/\/\S+/g, '').match(/(?<![\p{L}\p{N}_@./:-])[A-Za-z]{3,}(?![\p{L}\p{N}_@./-])/gu) ?? []
  return [...new Set(words)].filter((word) => !data.has(word.toLowerCase()))
}

/** Returns texts with a sign before a figure that stands behind it, because the text runs from right to left. */
const turnedNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.parentElement === null || getComputedStyle(text.parentElement).direction !== 'rtl') continue
      // Isolated values keep their order.
      const open = (text.textContent ?? '').replaceAll(/\u2068[^\u2069]*\u2069/g, '')
      if (/(?:^|\s)[<>+\u2212-]\s?[\d.]|\d\s?[\u2013-]\s?\d/.test(open)) found.push(open)
    }
    return found
  })

/** Returns what is wrong in the document, at each width. */
async function problemsOf(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const problems = [...(await englishWords(page, data)), ...(await turnedNumbers(page))]
  for (const violation of await accessibilityViolations(page))
    // A made-up word gets longer inside of a name, so the name does not contain the visible word.
    if (!violation.startsWith('label-content-name-mismatch')) problems.push(violation)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    let by = 0
    // Charts and dialogs take their new size after the page.
    await expect
      .poll(async () => (by = await sidewaysScroll(page)))
      .toBe(0)
      .catch(() => undefined)
    if (by > 0) problems.push(`sideways by ${by} at ${width}`)
  }
  return problems
}

/** Waits until a page or its open dialog has loaded. */
async function settle(page: Page, data: ReadonlySet<string>): Promise<void> {
  // A button is busy while its dialog asks.
  await expect.poll(() => page.locator('[aria-busy=true]:not(button)').count()).toBe(0)
  // Words of data may arrive after they are shown.
  await expect
    .poll(() => englishWords(page, data))
    .toEqual([])
    .catch(() => undefined)
}

/** Opens a page of the made-up language, and returns what is wrong on it. */
async function problemsAt(page: Page, data: ReadonlySet<string>, path: string, direction: string): Promise<string[]> {
  await page.goto(stack.url + path)
  await expect(page.locator('h1')).not.toBeEmpty()
  expect(await page.evaluate(() => document.documentElement.dir)).toBe(direction)
  await settle(page, data)
  return (await problemsOf(page, data)).map((problem) => `${path}: ${problem}`)
}

const speaking = async (context: BrowserContext, language: string): Promise<Page> => {
  await context.addCookies([{ name: 'language', value: language, url: stack.url }])
  return context.newPage()
}

/** Returns the path of a page, with the member's first ticket in place of an id. */
async function pathOf(page: Page, path: string): Promise<string> {
  if (path === '*') return '/nowhere'
  if (!path.includes(':id')) return path
  await page.goto(`${stack.url}/support`)
  return (
    (await page
      .locator(`a[href^="${path.replace(':id', '')}"]`)
      .first()
      .getAttribute('href')) ?? path
  )
}

/** Index of the language of a page: the other one than in `other-languages.browser.test.tsx`, so that each page is shown in both. */
const languageOf = (index: number): number => (index + 1) % 2
const ROUTES = [...publicRoutes, ...memberRoutes, notFound].map(({ path }, index) => ({
  path,
  isPublic: index < publicRoutes.length,
  language: languageOf(index),
}))

for (const [index, { language, direction, texts }] of LANGUAGES.entries()) {
  const title = `in a made-up language (${direction}) without English words, turned numbers, sideways scroll and axe violations`
  const options = { locale: language, viewport: { width: 390, height: 800 } }

  test(`shows pages ${title}`, { tag: '@extended' }, async ({ browser }) => {
    test.setTimeout(600_000)
    const problems: string[] = []
    for (const isPublic of [true, false]) {
      const context = await (isPublic ? browser.newContext(options) : signedIn(browser, stack.url, 'amara', options))
      const page = await speaking(context, language)
      const data = wordsOfData(page)
      for (const route of ROUTES.filter((one) => one.isPublic === isPublic && one.language === index))
        problems.push(...(await problemsAt(page, data, await pathOf(page, route.path), direction)))
      await context.close()
    }
    expect(problems).toEqual([])
  })

  test(`shows dialogs ${title}`, { tag: '@extended' }, async ({ browser }) => {
    test.setTimeout(600_000)
    const context = await signedIn(browser, stack.url, 'amara', options)
    const page = await speaking(context, language)
    const data = wordsOfData(page)
    const problems: string[] = []
    for (const [address, buttons] of DIALOGS)
      for (const button of buttons) {
        await page.goto(stack.url + address)
        const [name = ''] = (texts[button] ?? '').split('{')
        await page.getByRole('main').getByRole('button', { name: name.trim() }).first().click()
        await expect(page.locator('dialog[open]')).toHaveCount(1)
        await settle(page, data)
        for (const problem of await problemsOf(page, data)) problems.push(`${address} ${button}: ${problem}`)
      }
    await context.close()
    expect(problems).toEqual([])
  })

  test(`shows each mail ${title}`, { tag: '@extended' }, async ({ page }) => {
    test.setTimeout(300_000)
    const brand = {
      brand: defaultBrand('Tizara'),
      publicUrl: 'https://members.tizara.example',
      dataDir: folder,
      codeMinutes: 10,
      verifyLinkHours: 24,
      resetLinkMinutes: 30,
      mailTexts: {},
    }
    const problems: string[] = []
    for (const [name, { template, data: values }] of Object.entries(SAMPLES)) {
      const { html } = renderMail(brand, template, values, language)
      await page.setContent(html)
      expect(await page.evaluate(() => [document.documentElement.lang, getComputedStyle(document.body).direction])).toEqual([
        language,
        direction,
      ])
      // Values of the sample, some of which are sentences.
      const sample = JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).toLowerCase()
      const data = new Set([...NAMES, ...(sample.match(/[a-z]{3,}/g) ?? [])])
      for (const problem of await problemsOf(page, data)) problems.push(`${name}: ${problem}`)
    }
    expect(problems).toEqual([])
  })
}
