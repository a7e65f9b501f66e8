import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { checkCatalogue, problemOf } from './check.ts'
import {
  addTexts,
  afterComma,
  browserCatalogue,
  type Catalogue,
  currentLanguage,
  errorText,
  inEnglish,
  joinList,
  setLanguage,
  t,
  textParts,
  texts,
  translator,
} from './index.ts'

const readJson = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const productTexts: { app: string[]; server: string[] } = readJson('sources.json')

const catalogue = (language: string, direction: 'ltr' | 'rtl', translations: Record<string, string>): Catalogue => ({
  language,
  name: language,
  direction,
  reviewed: false,
  texts: translations,
})
const show = (shown: Catalogue): void => setLanguage(browserCatalogue(shown, Object.keys(shown.texts)))

afterEach(() => show(catalogue('en', 'ltr', {})))

describe('message', () => {
  it.each([
    'Plain',
    "Don't {a}",
    '{n, plural, =0 {none} one {# row of <b>{x}</b>} other {# rows}} left',
    'a < b & {c}, 5 # 3',
    '<a>{x} <b>y</b></a> z<c></c>',
    '{kind, select, in {In} other {}} {n, selectordinal, one {#st} other {{n}th}}',
    '',
  ])('parses %j as the library does', (text) => expect(problemOf(text)).toBeUndefined())

  it.each(["d'{x}", '{n, number}', 'x}', 'x{', '<a>x', '<img src=x>', '{n, plural, one {a}}', '{'])('refuses %j', (text) =>
    expect(problemOf(text)).toBeDefined(),
  )

  it('chooses the plural of the language when a value is a number', () => {
    const rows = '{n, plural, one {# row} other {# rows}}'
    const polish = translator(catalogue('pl', 'ltr', { [rows]: '{n, plural, one {# wiersz} few {# wiersze} other {# wierszy}}' }))
    expect([1, 3, 5].map((n) => polish(rows, { n }))).toEqual(['1 wiersz', '3 wiersze', '5 wierszy'])
    expect([1, 2].map((n) => translator()(rows, { n }))).toEqual(['1 row', '2 rows'])
  })

  it('returns the results of tags as parts', () => {
    expect(textParts('Read <a>the {what}</a>.', { what: 'terms', a: (content) => ({ content }) })).toEqual([
      'Read ',
      { content: ['the terms'] },
      '.',
    ])
  })
})

describe('language of the page', () => {
  it('shows the English text when the catalogue has no translation', () => {
    show(catalogue('es', 'ltr', { Yes: 'Sí' }))
    expect([t('Yes'), t('No'), t('{a} of {b}', { a: 1, b: 2 }), currentLanguage()]).toEqual(['Sí', 'No', '1 of 2', 'es'])
  })

  it('shows English inside a file that is the same in all languages', () => {
    show(catalogue('es', 'ltr', { Yes: 'Sí' }))
    expect([inEnglish(() => t('Yes')), t('Yes')]).toEqual(['Yes', 'Sí'])
  })

  it('finds each of many texts by its key', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`Text ${index}`, `Texto ${index}`]))
    show(catalogue('es', 'ltr', many))
    expect(Object.keys(many).map((text) => t(text))).toEqual(Object.values(many))
    expect(t('Another text')).toBe('Another text')
  })

  it('adds the texts of a second file to those of the first', () => {
    show(catalogue('es', 'ltr', { Yes: 'Sí' }))
    expect([t('Yes'), t('No')]).toEqual(['Sí', 'No'])
    addTexts(browserCatalogue(catalogue('es', 'ltr', { No: 'No, gracias' }), ['No']))
    expect([t('Yes'), t('No'), t('Other'), currentLanguage()]).toEqual(['Sí', 'No, gracias', 'Other', 'es'])
  })

  it('fills the values of an error response into its translated message', () => {
    const catalogueInBrowser = browserCatalogue(catalogue('es', 'ltr', { 'Invalid amount': 'Importe no válido' }), ['Invalid amount'])
    setLanguage({ ...catalogueInBrowser, refusals: { BELOW_MINIMUM: 'El mínimo es {minimum}' } })
    expect([
      errorText('Minimum amount is 10', 'BELOW_MINIMUM', 'minimum=10'),
      errorText('Invalid amount', 'INVALID_AMOUNT', null),
      errorText('Another one', null, null),
    ]).toEqual(['El mínimo es 10', 'Importe no válido', 'Another one'])
  })

  it('translates constants when they are read', () => {
    const messages = texts({ yes: 'Yes', ask: { again: 'Again' }, of: (n: number) => t('{n} of 9', { n }) })
    const menu = texts('label', [{ label: 'Yes', href: 'Yes' }])
    show(catalogue('es', 'ltr', { Yes: 'Sí', Again: 'Otra vez', '{n} of 9': '{n} de 9' }))
    expect([messages.yes, messages.ask.again, messages.of(2), { ...menu[0] }]).toEqual([
      'Sí',
      'Otra vez',
      '2 de 9',
      { label: 'Sí', href: 'Yes' },
    ])
  })

  it.each([
    ['en', 'ltr', ', {more}', ['A, B, C', 'A, B', 'A', '', '5 Nov, 14:07']],
    ['es', 'ltr', ', {more}', ['A, B, C', 'A y B', 'A', '', '5 Nov, 14:07']],
    ['ar', 'rtl', '، {more}', ['A، وB، وC', 'A وB', 'A', '', '5 Nov، 14:07']],
  ] as const)('joins lists and continues texts with the commas of %s', (language, direction, comma, expected) => {
    show(catalogue(language, direction, { ', {more}': comma }))
    const lists = [['A', 'B', 'C'], ['A', 'B'], ['A'], []].map((entries) => joinList(entries))
    // Isolation marks keep the order of each entry.
    expect([...lists, `5 Nov${afterComma('14:07')}`].map((text) => text.replaceAll(/[\u2068\u2069]/g, ''))).toEqual(expected)
  })

  it('isolates text values when the language runs from right to left', () => {
    show(catalogue('ar', 'rtl', { 'Sent {amount}': 'أُرسل {amount}' }))
    expect(t('Sent {amount}', { amount: '5.00 USD' })).toBe('أُرسل \u20685.00 USD\u2069')
  })
})

describe('check of a catalogue', () => {
  it('names missing and unknown texts, placeholders, syntax and HTML', () => {
    const sources = ['Hi {x}', 'B', 'C', 'D', 'See <a>{x}</a>']
    const found = checkCatalogue(
      catalogue('es', 'ltr', { 'Hi {x}': 'Hola {y}', B: '<b>b</b>', C: '<img src=x>', E: 'e', 'See <a>{x}</a>': 'Ver <a>{x}</a>' }),
      sources,
    )
    expect(found).toEqual([
      'es: missing: D',
      'es: {x} is missing: Hola {y}',
      'es: {y} is not in the English text: Hola {y}',
      'es: <b> is not in the English text: <b>b</b>',
      'es: has HTML: <b>b</b>',
      expect.stringContaining('es: is not a message'),
      'es: no such English text: E',
    ])
  })
})

describe('catalogue of the product', () => {
  // A language with a missing text is not offered: add the text to each of these files.
  it.each(readdirSync(new URL('../catalogues', import.meta.url)))('contains every text of app and mails: %s', (file) => {
    const found: Catalogue = readJson(`catalogues/${file}`)
    expect(file).toBe(`${found.language}.json`)
    expect(checkCatalogue(found, [...new Set([...productTexts.app, ...productTexts.server])])).toEqual([])
  })

  it('has Arabic commas, semicolons and question marks in Arabic', () => {
    const { texts: arabic }: Catalogue = readJson('catalogues/ar.json')
    // Names of a token and its network, as wallets show them.
    const latin = Object.values(arabic).filter((text) => !/^[ -~]*$/.test(text) || /^\{\w+\}[^\w]*\{\w+\}$/.test(text))
    expect(latin.filter((text) => /[,;?](?=\s|$)/.test(text.replaceAll(/\{\w+, (plural|select|selectordinal),/g, '')))).toEqual([])
  })
})
