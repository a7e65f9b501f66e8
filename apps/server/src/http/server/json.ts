import { formatUnits } from '@tizara/money'

declare global {
  interface JSON {
    /** Writes a number as its source text (ECMAScript source text access). */
    rawJSON(text: string): unknown
  }
}

/**
 * Writes an answer as JSON. A bigint is an amount, price, rate or percentage in units of 10^-8 and is written as an
 * exact decimal number.
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(formatUnits(item)) : item))
}

const MAX_DEPTH = 32
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Why a body is not accepted. */
export class MalformedJson extends Error {}

/**
 * Reads a request body. Rejects nesting deeper than 32, keys that reach an object's prototype, duplicate keys and lone
 * surrogates. Parsers disagree about duplicate keys, and so about the amount.
 * @param text the body; blank means an empty object
 * @throws MalformedJson
 */
export function readJson(text: string): unknown {
  if (text.trim() === '') return {}
  checkKeys(text)
  const read = parsed(text)
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(read)) throw new MalformedJson('half of a character')
  return read
}

/**
 * Reads a request body like {@link readJson}, and returns the error in place of a malformed body. The call throws it after its checks of
 * session and role.
 */
export function readJsonBody(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof MalformedJson) return error
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedJson('not JSON')
  }
}

/** Returns true if all texts and keys are well-formed Unicode. Only escapes can contain lone surrogates, and the database rejects them. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item))
}

/** Checks a text's brackets and keys before parsing. The parser reports other syntax errors. */
function checkKeys(text: string): void {
  /** The keys seen in each open object; null for an open list. */
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') {
      const end = endOfText(text, index)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) addUniqueKey(keys, text.slice(index, end + 1))
      index = end
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : null) > MAX_DEPTH) throw new MalformedJson('nested too deeply')
    } else if (character === '}' || character === ']') open.pop()
  }
}

/** Returns the index of the quote that closes the text at `start`; the last index if none does. */
function endOfText(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return Math.min(end, text.length - 1)
}

const isKey = (text: string, end: number): boolean => {
  let next = end + 1
  while (/\s/.test(text[next] ?? '')) next += 1
  return text[next] === ':'
}

function addUniqueKey(keys: Set<string>, quoted: string): void {
  let key: string
  try {
    key = String(JSON.parse(quoted))
  } catch {
    throw new MalformedJson('not JSON')
  }
  if (FORBIDDEN_KEYS.has(key)) throw new MalformedJson(`the key ${key} is not allowed`)
  if (keys.has(key)) throw new MalformedJson('a key is duplicated')
  keys.add(key)
}
