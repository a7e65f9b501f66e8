import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCatalogue } from '@tizara/contract'
import { languageTag, type OfferedLanguage } from '@tizara/contract/languages'
import { addressOfGroup, browserFiles, type Catalogue, type PageGroup, translator, type Translate } from '@tizara/languages'
import { checkCatalogue } from '@tizara/languages/check'
import sources from '@tizara/languages/sources' with { type: 'json' }
import * as v from 'valibot'
import type { Config } from './config.ts'

const PRODUCT_FOLDER = fileURLToPath(new URL('../catalogues/', import.meta.resolve('@tizara/languages')))
/** Largest catalogue in bytes. */
const MAX_BYTES = 5_000_000
const MAX_FILES = 200

/** A language that members can choose, with its texts. */
export interface Language extends OfferedLanguage {
  translate: Translate
  /** True if all texts of mails are there. Otherwise mails are in English, because they must not mix two languages. */
  isForMails: boolean
  /** Files that pages load, by address: one for each group of pages. */
  files: ReadonlyMap<string, string>
}

/** The languages of a process. English is not among them, because it needs no texts. */
export interface Languages {
  offered: readonly Language[]
  /** One line per problem of a catalogue. */
  problems: readonly string[]
}

const catalogue = v.strictObject({
  language: v.pipe(
    languageTag,
    v.check((tag) => tag !== 'en', 'English is the language of the texts in the code'),
  ),
  name: v.pipe(v.string(), v.regex(/^[^\p{C}<>]{1,40}$/u, 'Must be 1 to 40 characters without < and >')),
  direction: v.picklist(['ltr', 'rtl']),
  reviewed: v.boolean(),
  texts: v.record(v.string(), v.string()),
})

interface CatalogueFile {
  name: string
  catalogue?: Catalogue
  problems: string[]
}

function readCatalogue(folder: string, name: string): CatalogueFile {
  const reject = (why: string): CatalogueFile => ({ name, problems: [`${name}: ${why}`] })
  try {
    const file = path.join(folder, name)
    if (statSync(file).size > MAX_BYTES) return reject(`is larger than ${MAX_BYTES / 1_000_000} MB`)
    const parsed = v.safeParse(catalogue, JSON.parse(readFileSync(file, 'utf8')))
    if (!parsed.success) return reject(parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'file'}: ${issue.message}`).join('; '))
    if (name !== `${parsed.output.language}.json`) return reject(`must have the name ${parsed.output.language}.json`)
    return { name, catalogue: parsed.output, problems: [] }
  } catch (error) {
    return reject(
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** Reads the catalogues of a folder; none if the folder does not exist. */
function readFolder(folder: string): CatalogueFile[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .slice(0, MAX_FILES)
    .map((name) => readCatalogue(folder, name))
}

/** English texts: those of the member app, those of each group of its pages, and those of mails. */
interface Sources {
  app: readonly string[]
  pages: Readonly<Record<PageGroup, readonly string[]>>
  server: readonly string[]
}

/**
 * Reads the languages of the product and of the data folder's `languages/`. A file of the data folder adds a language, or replaces single
 * texts of one. A file with an error is rejected as a whole. A language without a text of the member app is not offered; mails are in
 * English if one of their texts is missing.
 */
export function readLanguages(folder: string, productFolder = PRODUCT_FOLDER, { app, pages, server }: Sources = sources): Languages {
  const known = new Set([...app, ...server])
  const all = [...known]
  const product = new Map(readFolder(productFolder).flatMap(({ catalogue: one }) => (one === undefined ? [] : [[one.language, one]])))
  const problems: string[] = []
  const own = readFolder(folder).flatMap((file) => {
    problems.push(...file.problems)
    if (file.catalogue === undefined) return []
    const { texts, ...head } = file.catalogue
    // An English text may have changed since the file was written.
    problems.push(...Object.keys(texts).flatMap((source) => (known.has(source) ? [] : [`${file.name}: no such English text: ${source}`])))
    const one = { ...head, texts: Object.fromEntries(Object.entries(texts).filter(([source]) => known.has(source))) }
    const found = checkCatalogue(one, Object.keys(one.texts))
    problems.push(...found)
    return found.length > 0 ? [] : [one]
  })
  const merged = new Map(product)
  for (const one of own) merged.set(one.language, { ...one, texts: { ...product.get(one.language)?.texts, ...one.texts } })
  const offered = [...merged.values()].flatMap((one) => {
    const missing = all.filter((source) => !Object.hasOwn(one.texts, source))
    problems.push(...missing.map((source) => `${one.language}: missing: ${source}`))
    return missing.some((source) => app.includes(source)) ? [] : [offer(one, { app, pages, server })]
  })
  return { offered: offered.toSorted((a, b) => (a.language < b.language ? -1 : 1)), problems }
}

function offer(one: Catalogue, { pages, server }: Sources): Language {
  const isForMails = server.every((source) => Object.hasOwn(one.texts, source))
  const { language, name, direction, reviewed } = one
  const files = browserFiles(one, pages, errorMessages)
  // All groups have the hash of all files, so that a page finds the other files by the address of its own.
  const hash = createHash('sha256')
  for (const [, file] of files) hash.update(file)
  const address = `/languages/${language}.arrival.${hash.digest('hex').slice(0, 16)}.json`
  return {
    language,
    name,
    direction,
    reviewed,
    address,
    translate: translator(one),
    isForMails,
    files: new Map(files.map(([group, file]) => [addressOfGroup(address, group), file])),
  }
}

const errorMessages = Object.entries(errorCatalogue).map(([code, { message }]) => [code, message] as const)

const read = new Map<string, Languages>()

/** Returns the languages of the process. The files are read once. */
export function languagesOf({ dataDir }: Pick<Config, 'dataDir'>): Languages {
  const found = read.get(dataDir) ?? readLanguages(path.join(dataDir, 'languages'))
  read.set(dataDir, found)
  return found
}

/** Returns an offered language; undefined for English and for a language that is not offered. */
export const languageOf = (config: Pick<Config, 'dataDir'>, tag: string | null | undefined): Language | undefined =>
  typeof tag === 'string' && tag !== 'en' ? languagesOf(config).offered.find(({ language }) => language === tag) : undefined

/** Returns the facts of a language that pages need. */
export const offeredOf = ({ language, name, direction, reviewed, address }: Language): OfferedLanguage => ({
  language,
  name,
  direction,
  reviewed,
  address,
})

/**
 * Chooses the language of a request: the cookie, else the header `Accept-Language`. A header is read up to 500 characters.
 * @returns undefined for English
 */
export function requestLanguage(
  config: Pick<Config, 'dataDir'>,
  cookie: string | undefined,
  header: string | undefined,
): Language | undefined {
  if (cookie === 'en') return undefined
  const chosen = languageOf(config, cookie)
  if (chosen !== undefined) return chosen
  const { offered } = languagesOf(config)
  const tags = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.split(';q=')
      return { tag: tag.trim().toLowerCase(), quality: quality === undefined ? 1 : Number(quality) }
    })
  for (const { tag, quality } of tags.toSorted((a, b) => b.quality - a.quality)) {
    if (!(quality > 0)) continue
    const [base = ''] = tag.split('-')
    if (base === 'en') return undefined
    const match = offered.find(({ language }) => language.toLowerCase() === tag) ?? offered.find(({ language }) => language === base)
    if (match !== undefined) return match
  }
  return undefined
}
