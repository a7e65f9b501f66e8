import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { errorCatalogue } from '@tizara/contract'
import { browserCatalogue, type Catalogue } from '@tizara/languages'
import sources from '@tizara/languages/sources' with { type: 'json' }
import { expect, it } from 'vitest'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { languagesOf, readLanguages, requestLanguage } from './languages.ts'

const root = mkdtempSync(path.join(tmpdir(), 'languages-'))
onFileEnd(async () => rmSync(root, { recursive: true, force: true }))

const texts = {
  app: ['Invalid amount', 'Minimum amount is {minimum}'],
  pages: { arrival: ['Minimum amount is {minimum}'], account: ['Invalid amount'], lists: [] },
  server: ['Hello {name},'],
}
const spanish = {
  language: 'es',
  name: 'Español',
  direction: 'ltr',
  reviewed: false,
  texts: {
    'Invalid amount': 'Cantidad no válida',
    'Minimum amount is {minimum}': 'El mínimo es {minimum}',
    'Hello {name},': 'Hola, {name}:',
  },
}

let folders = 0
/** Writes a folder of catalogues: objects as JSON, texts as they are. */
function folderOf(files: Record<string, unknown>): string {
  const folder = path.join(root, String((folders += 1)))
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}
const NONE = path.join(root, 'none')
const read = (own: Record<string, unknown>, product?: Record<string, unknown>) =>
  readLanguages(folderOf(own), product === undefined ? NONE : folderOf(product), texts)
const withText = (source: string, text: string) => ({ ...spanish, texts: { ...spanish.texts, [source]: text } })

it('offers the languages of the product and of the data folder, in the order of their tags', () => {
  const { offered, problems } = read({ 'ar.json': { ...spanish, language: 'ar', direction: 'rtl' } }, { 'es.json': spanish })
  expect(problems).toEqual([])
  expect(offered.map(({ language, direction, reviewed }) => [language, direction, reviewed])).toEqual([
    ['ar', 'rtl', false],
    ['es', 'ltr', false],
  ])
  expect(offered[1]?.translate('Hello {name},', { name: 'Ada' })).toBe('Hola, Ada:')
})

it('has a file for each group of pages, with short keys and the words of errors with values by code, at addresses with one hash', () => {
  const [one] = read({ 'es.json': spanish }).offered
  const files = [...(one?.files ?? [])]
  const [hash = ''] = /[0-9a-f]{16}/.exec(one?.address ?? '') ?? []
  expect(files.map(([address]) => address)).toEqual(['arrival', 'account', 'lists'].map((group) => `/languages/es.${group}.${hash}.json`))
  expect(one?.address).toBe(files[0]?.[0])
  const { arrival, account, lists } = texts.pages
  for (const [index, sourcesOfGroup] of [arrival, account, lists].entries())
    expect(JSON.parse(files[index]?.[1] ?? '')).toEqual({
      ...browserCatalogue(spanish as Catalogue, sourcesOfGroup),
      refusals: { BELOW_MINIMUM: 'El mínimo es {minimum}' },
    })
  // A changed text of one file changes the addresses of all, because a page finds one by another.
  const [other] = read({ 'es.json': withText('Invalid amount', 'Importe no válido') }).offered
  expect(other?.address).not.toBe(one?.address)
})

it("replaces single texts of the product by the operator's, and keeps the others", () => {
  const own = { ...spanish, reviewed: true, texts: { 'Invalid amount': 'Importe no válido' } }
  const { offered, problems } = read({ 'es.json': own }, { 'es.json': spanish })
  expect(problems).toEqual([])
  expect([offered[0]?.translate('Invalid amount'), offered[0]?.translate('Hello {name},', { name: 'x' }), offered[0]?.reviewed]).toEqual([
    'Importe no válido',
    'Hola, x:',
    true,
  ])
})

it.each([
  ['is not JSON', '{', 'es.json: is not JSON'],
  ['is a list', '[]', 'es.json: '],
  ['is larger than 5 MB', JSON.stringify({ ...spanish, name: 'x'.repeat(5_000_000) }), 'es.json: is larger than 5 MB'],
  ['has another language than its name', { ...spanish, language: 'fr' }, 'es.json: must have the name fr.json'],
  ['has an unknown direction', { ...spanish, direction: 'up' }, 'es.json: direction: '],
  ['has HTML in its name', { ...spanish, name: '<b>' }, 'es.json: name: '],
  ['has no texts', { ...spanish, texts: undefined }, 'es.json: texts: '],
  ['has a text that is a number', { ...spanish, texts: { 'Invalid amount': 5 } }, 'es.json: texts.Invalid amount: '],
  ['lacks a placeholder', withText('Minimum amount is {minimum}', 'El mínimo'), 'es: {minimum} is missing: El mínimo'],
  ['has an additional placeholder', withText('Invalid amount', 'No {x}'), 'es: {x} is not in the English text: No {x}'],
  ['has HTML', withText('Invalid amount', 'No <img src=x>'), 'es: '],
  ['has an unclosed brace', withText('Invalid amount', 'No {'), 'es: is not a message'],
])('rejects a file that %s by name, and keeps the language of the product', (_, content, problem) => {
  const { offered, problems } = read({ 'es.json': content }, { 'es.json': spanish })
  expect(problems.filter((line) => line.startsWith(problem))).toHaveLength(1)
  expect(offered[0]?.translate('Invalid amount')).toBe('Cantidad no válida')
  expect(read({ 'es.json': content }).offered).toEqual([])
})

it('rejects English, and a tag that is no language', () => {
  const { offered, problems } = read({
    'en.json': { ...spanish, language: 'en' },
    '..json': { ...spanish, language: '../x' },
    'notes.txt': 'x',
  })
  expect(offered).toEqual([])
  expect(problems).toHaveLength(2)
})

it('does not offer a language without a text of the member app, and not for mails without a text of them', () => {
  const { 'Invalid amount': _, ...some } = spanish.texts
  expect(read({ 'es.json': { ...spanish, texts: some } })).toEqual({ offered: [], problems: ['es: missing: Invalid amount'] })
  const { 'Hello {name},': __, ...app } = spanish.texts
  const { offered, problems } = read({ 'es.json': { ...spanish, texts: app } })
  expect(problems).toEqual(['es: missing: Hello {name},'])
  expect(offered.map(({ isForMails }) => isForMails)).toEqual([false])
  expect(read({ 'es.json': spanish }).offered.map(({ isForMails }) => isForMails)).toEqual([true])
})

it('names a key that is no English text, and ignores it', () => {
  const { offered, problems } = read({ 'es.json': withText('Earlier text', 'x') })
  expect(problems).toEqual(['es.json: no such English text: Earlier text'])
  expect(offered).toHaveLength(1)
})

it('chooses the language of a request by cookie, else by the order and quality of Accept-Language', () => {
  const dataDir = path.join(root, 'data')
  mkdirSync(path.join(dataDir, 'languages'), { recursive: true })
  const all = Object.fromEntries(sources.app.map((source) => [source, source]))
  for (const language of ['es', 'fr', 'pt-BR'])
    writeFileSync(path.join(dataDir, 'languages', `${language}.json`), JSON.stringify({ ...spanish, language, texts: all }))
  const { offered } = languagesOf({ dataDir })
  expect(offered.map(({ language }) => language)).toEqual(expect.arrayContaining(['es', 'fr', 'pt-BR']))
  const chosen = (cookie?: string, header?: string) => requestLanguage({ dataDir }, cookie, header)?.language
  expect(chosen('fr', 'es')).toBe('fr')
  expect(chosen('en', 'es')).toBeUndefined()
  expect(chosen('xx', 'es')).toBe('es')
  expect(chosen(undefined, 'es-MX,es;q=0.9,en;q=0.8')).toBe('es')
  expect(chosen(undefined, 'en-GB,es;q=0.9')).toBeUndefined()
  expect(chosen(undefined, 'xx, es;q=0.3, FR;q=0.7')).toBe('fr')
  expect(chosen(undefined, 'pt-br')).toBe('pt-BR')
  expect(chosen(undefined, 'es;q=0, *;q=1')).toBeUndefined()
  for (const header of ['', ',,;q=', 'es;q=x', '*', ','.repeat(100_000), undefined]) expect(chosen('__proto__', header)).toBeUndefined()
})

it('the words of each error are among the texts of the member app', () => {
  expect(Object.values(errorCatalogue).filter(({ message }) => !sources.app.includes(message))).toEqual([])
})
