import { formatUnits } from '@tizara/money'

declare global {
  interface JSON {
    /** A value that is written into JSON as the text stands (ECMAScript source text access). */
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
/** Whether a text may hold a forbidden key: spelt out, or behind an escape. Looking at every key costs more than parsing. */
const SUSPICIOUS = /__proto__|constructor|prototype|\\/

/** Why a body is not accepted. */
export class MalformedJson extends Error {}

/**
 * Reads a request body. Refuses nesting deeper than 32 (before parsing), and keys that reach an object's prototype.
 * @param text the body; blank stands for an empty object
 * @throws MalformedJson
 */
export function readJson(text: string): unknown {
  if (text.trim() === '') return {}
  if (depthOf(text) > MAX_DEPTH) throw new MalformedJson('nested too deeply')
  try {
    if (!SUSPICIOUS.test(text)) return JSON.parse(text)
    return JSON.parse(text, (key, value: unknown) => {
      if (FORBIDDEN_KEYS.has(key)) throw new MalformedJson(`the key ${key} is not allowed`)
      return value
    })
  } catch (error) {
    throw error instanceof MalformedJson ? error : new MalformedJson('not JSON')
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (quoted) {
      if (character === '\\') index += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1))
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
