import compile from 'icu-minify/compile'
import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from './catalogue.ts'
import { parseMessage } from './message.ts'

/** Placeholders and tags of a message, with their kinds. */
function placeholdersOf(node: unknown, found = new Set<string>()): Set<string> {
  if (!Array.isArray(node)) return found
  const [name, kind, options] = node as [unknown, unknown, unknown]
  if (typeof name === 'string' && (node.length === 1 || typeof kind === 'number')) {
    found.add(`{${name}}`)
    for (const option of Object.values(options ?? {})) for (const part of Array.isArray(option) ? option : []) placeholdersOf(part, found)
    return found
  }
  if (typeof name === 'string' && node.length > 1) found.add(`<${name}>`)
  for (const part of node.slice(1)) placeholdersOf(part, found)
  return found
}

/** Collects the placeholders of a parsed message. */
function partsOf(text: string): Set<string> {
  const message = compile(text)
  const found = new Set<string>()
  for (const node of typeof message === 'string' ? [] : message) placeholdersOf(node, found)
  return found
}

const HTML = /<\/?[a-z][\w-]*[\s/>]/i

/**
 * Checks one English text or translation.
 * @returns the problem, or undefined
 */
export function problemOf(text: string): string | undefined {
  try {
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(compile(text))), JSON.parse(JSON.stringify(parseMessage(text))))) return undefined
    return 'uses a part of the message format that is not supported'
  } catch (error) {
    return `is not a message: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * Checks the texts of a catalogue against the English ones: missing and unknown texts, syntax, placeholders and HTML.
 * @param sources all English texts
 * @returns one line per problem; empty if the language can be offered
 */
export function checkCatalogue({ language, texts }: Catalogue, sources: readonly string[]): string[] {
  const known = new Set(sources)
  const missing = sources.filter((source) => !Object.hasOwn(texts, source)).map((source) => `${language}: missing: ${source}`)
  const problems = Object.entries(texts).flatMap(([source, text]) => {
    if (!known.has(source)) return [`${language}: no such English text: ${source}`]
    const problem = problemOf(text)
    if (problem !== undefined) return [`${language}: ${problem}: ${text}`]
    const wanted = partsOf(source)
    const found = partsOf(text)
    const lines = [
      ...[...wanted].filter((part) => !found.has(part)).map((part) => `${part} is missing`),
      ...[...found].filter((part) => !wanted.has(part)).map((part) => `${part} is not in the English text`),
      ...(HTML.test(text.replaceAll(/<\/?([a-z]\w*)>/g, (tag, name: string) => (wanted.has(`<${name}>`) ? '' : tag))) ? ['has HTML'] : []),
    ]
    return lines.map((line) => `${language}: ${line}: ${text}`)
  })
  return [...missing, ...problems]
}
